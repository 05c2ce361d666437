import { readFileSync } from 'node:fs';

const tick = 10_000;
const page = 4096;

/** CPU time of a process so far, user and system, in µs; to the nearest 10 ms. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const [, resident] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(resident) * page) / 1e6;
}
