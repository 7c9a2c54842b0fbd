// The programs that the files in docs/monitoring/ are for, as they can be had here.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The path of an executable, or why there is none. */
export type Program = { readonly path: string } | { readonly obstacle: string }

/** The end of what a command said. */
const lastLine = (error: unknown): string => {
  const { stderr = '', message = String(error) } = Object(error) as Record<string, string>
  return (stderr.trim() || message).split('\n').at(-1) ?? ''
}

const attempt = (install: () => Promise<string>): Promise<Program> =>
  install().then(
    (path) => ({ path }),
    (error: unknown) => ({ obstacle: lastLine(error) }),
  )

/** An installed one, else that of Debian's package, unpacked into a folder: the system stays as it is. */
export const prometheus = (folder: string): Promise<Program> =>
  attempt(async () => {
    const found = await execute('sh', ['-c', 'command -v prometheus']).catch(() => undefined)
    if (found !== undefined) return found.stdout.trim()
    await execute('apt-get', ['download', 'prometheus'], { cwd: folder })
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'))
    await execute('dpkg-deb', ['--extract', file, 'prometheus'], { cwd: folder })
    return join(folder, 'prometheus/usr/bin/prometheus')
  })

/** A program in Go, built from its module at this version. */
export const goProgram = (folder: string, module: string, version: string): Promise<Program> =>
  attempt(async () => {
    const { stdout } = await execute('go', ['mod', 'download', '-json', `${module}@${version}`])
    const path = join(folder, module.split('/').at(-1) ?? module)
    await execute('go', ['build', '-mod=readonly', '-o', path, '.'], { cwd: JSON.parse(stdout).Dir })
    return path
  })
