// Copies the notices of what a bundle holds of others into the folder that is named as the only argument: the build of
// each function runs this.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { noticesFile } from '../../shared/agreements/names.ts'
import { projectRoot } from '../project-root.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: copy-notices.ts FOLDER')
copyFileSync(join(projectRoot, noticesFile), join(folder, noticesFile))
