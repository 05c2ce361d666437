import { readdirSync, readFileSync } from 'node:fs';

/** A field of what Linux tells of a process. */
function fieldOf(pid: string, name: string): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  } catch {
    return '';
  }
}

/** What the runtimes that this process started hold in memory, in MB; 0 where that can not be known. */
export function runtimesMemory(): number {
  if (process.platform !== 'linux') return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids.filter(
    (pid) =>
      fieldOf(pid, 'PPid') === String(process.pid) && fieldOf(pid, 'Name').startsWith('workerd'),
  );
  return ours.reduce((sum, pid) => sum + Number(fieldOf(pid, 'VmRSS')) / 1024, 0);
}
