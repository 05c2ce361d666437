import { readSlice } from '../storage/state-storage.ts';

/** What is left of a deadline (epoch ms), as `m:ss`; `0:00` when it is over. */
export function formatClock(deadline: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((deadline - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function keptValue(field: string): unknown {
  const [slice = '', name = ''] = field.split('.');
  const kept = readSlice(slice);
  if (name === 'offer-active') return !(kept.deadline && Number(kept.deadline) <= Date.now());
  if (name !== 'timer') return kept[name];
  return kept.deadline ? formatClock(Number(kept.deadline), Date.now()) : '';
}

/**
 * Writes what the visitor gave before into the boxes that wait for it (`data-fill="map.phone"`), and
 * marks the parts that need more than was given (`data-need="signup.token"`) with `data-missing`.
 */
export function fillBoxes(within: ParentNode): void {
  for (const part of within.querySelectorAll<HTMLElement>('[data-need]')) {
    part.toggleAttribute('data-missing', !keptValue(part.dataset.need ?? ''));
  }
  for (const box of within.querySelectorAll<HTMLElement>('[data-fill]')) {
    const value = keptValue(box.dataset.fill ?? '');
    if (value) box.textContent = String(value);
  }
}
