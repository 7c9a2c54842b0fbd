// The use of processor and memory by a running process, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of all threads in milliseconds. Other processes on a busy machine do not add to it, as they do to time. */
export function processorMs(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** The most memory that it had at once, in megabytes. */
export function peakMegabytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
