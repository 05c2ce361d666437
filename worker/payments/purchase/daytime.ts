import { hourMs } from '../../platform/durations.ts';

/** Local hours in which an e-mail may arrive: from 9 until before 20. */
const [firstHour, endHour] = [9, 20];

function hourIn(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  return Number(parts.formatToParts(at).find(({ type }) => type === 'hour')?.value);
}

/** The time itself if it is by day, else 9:00 local time of the next morning; ms since 1970. */
export function atDaytime(at: number, timeZone: string): number {
  const isDay = (moment: number) => {
    const hour = hourIn(moment, timeZone);
    return hour >= firstHour && hour < endHour;
  };
  if (isDay(at)) return at;
  // Offsets from UTC are whole quarters of an hour.
  const quarterMs = hourMs / 4;
  let moment = at - (at % quarterMs);
  while (!isDay(moment)) moment += quarterMs;
  return moment;
}
