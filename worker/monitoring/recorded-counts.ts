import type { SyncKvStorage } from '@cloudflare/workers-types';
import {
  addTo,
  type Counts,
  hourMinutes,
  pastOf,
  pastWeeks,
  type SeriesCounts,
  weekHours,
} from './rules/counts.ts';

/** The longest window of an alarm, and the history used for a series without past weeks. */
const keptMinutes = 190;
const keptHours = pastWeeks * weekHours + 3;

const minuteKey = (minute: number) => `minute:${minute}`;
const hourKey = (hour: number) => `hour:${hour}`;
const pendingPrefix = 'pending:';

/** Counts by minute and by hour, in the monitor's own storage. Minutes and hours are since 1970. */
export class RecordedCounts {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** One small write; `addUp` adds the counts up. */
  addLater(tally: SeriesCounts, minute: number): void {
    this.#kv.put(`${pendingPrefix}${minute}:${crypto.randomUUID()}`, tally);
  }

  add(tally: SeriesCounts, minute: number): void {
    this.#addAt(minuteKey(minute), tally);
    this.addToHour(tally, Math.floor(minute / hourMinutes));
  }

  addToHour(tally: SeriesCounts, hour: number): void {
    this.#addAt(hourKey(hour), tally);
  }

  #addAt(key: string, tally: SeriesCounts): void {
    const known = this.#kv.get<SeriesCounts>(key) ?? {};
    addTo(known, tally);
    this.#kv.put(key, known);
  }

  /** Adds up new counts and deletes those that no alarm uses any longer. */
  addUp(minute: number): void {
    const sums = new Map<number, SeriesCounts>();
    for (const [key, tally] of this.#kv.list<SeriesCounts>({ prefix: pendingPrefix })) {
      const at = Number(key.split(':')[1]);
      const sum = sums.get(at) ?? {};
      addTo(sum, tally);
      sums.set(at, sum);
      this.#kv.delete(key);
    }
    for (const [at, tally] of sums) this.add(tally, at);
    // An hour without events is stored as empty; an hour before counting began is unknown.
    this.add({}, minute);
    this.#forget('minute:', minute - keptMinutes);
    this.#forget('hour:', Math.floor(minute / hourMinutes) - keptHours);
  }

  #forget(prefix: string, before: number): void {
    const [start, end] = [`${prefix}0`, `${prefix}${before}`];
    for (const [key] of this.#kv.list({ start, end })) this.#kv.delete(key);
  }

  hourly(from: number, to: number): SeriesCounts[] {
    const hours = Array.from({ length: to - from + 1 }, (_, at) => ({
      ...this.#kv.get<SeriesCounts>(hourKey(from + at)),
    }));
    for (const [key, tally] of this.#kv.list<SeriesCounts>({ prefix: pendingPrefix })) {
      const hour = hours[Math.floor(Number(key.split(':')[1]) / hourMinutes) - from];
      if (hour) addTo(hour, tally);
    }
    return hours;
  }

  hasHour(hour: number): boolean {
    return this.#kv.get(hourKey(hour)) !== undefined;
  }

  /** For the last three hours, and the same hours of past weeks. */
  read(minute: number): Counts {
    const minutes = new Map<number, SeriesCounts>();
    for (const [key, tally] of this.#kv.list<SeriesCounts>({ prefix: 'minute:' })) {
      minutes.set(Number(key.slice('minute:'.length)), tally);
    }
    const hours = new Map<number, SeriesCounts | undefined>();
    const hourOf = (hour: number) => {
      if (!hours.has(hour)) hours.set(hour, this.#kv.get<SeriesCounts>(hourKey(hour)));
      return hours.get(hour);
    };
    const hour = Math.floor(minute / hourMinutes);
    const lastWeek = hourOf(hour - weekHours) ?? {};
    const names = [...minutes.values(), lastWeek].flatMap((tally) => Object.keys(tally));
    return {
      series: [...new Set(names)],
      sum(series, from, to) {
        let sum = 0;
        for (let at = from; at < to; at += 1) sum += minutes.get(at)?.[series] ?? 0;
        return sum;
      },
      past: (series, at) => pastOf(series, at, hourOf),
    };
  }
}
