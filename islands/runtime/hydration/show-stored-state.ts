import { readSlice } from '../storage/state-storage.ts';

/** Time until a deadline (epoch ms), as `m:ss`; at least `0:00`. */
export function formatClock(deadline: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((deadline - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function storedValue(field: string): unknown {
  const [slice, name] = field.split('.') as [string, string];
  const stored = readSlice(slice);
  const deadline = Number(stored.deadline);
  if (name === 'offer-active') return !deadline || deadline > Date.now();
  if (name !== 'timer') return stored[name];
  return deadline ? formatClock(deadline, Date.now()) : '';
}

export function showStoredState(within: ParentNode): void {
  for (const part of within.querySelectorAll<HTMLElement>('[data-need]')) {
    part.toggleAttribute('data-missing', !storedValue(part.dataset.need as string));
  }
  for (const box of within.querySelectorAll<HTMLElement>('[data-fill]')) {
    const value = storedValue(box.dataset.fill as string);
    if (value) box.textContent = String(value);
  }
}
