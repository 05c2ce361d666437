import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { type Need, reservedUnits } from '../rules/sms-limits.ts';
import { resetDaily } from './daily-counters.ts';

/** Reserved units by counter, or the refusal when a counter has too few left; then nothing is reserved. */
type Share = { kind: 'reserved'; units: Record<string, number> } | Refused;

/** Divides the daily limits of all SMS (UTC) among the limiters, and never exceeds them. */
export class SmsBudget extends DurableObject<Env> {
  reserve(needs: readonly Need[]): Share {
    const { kv } = this.ctx.storage;
    resetDaily(kv, Date.now());
    const units: Record<string, number> = {};
    for (const need of needs) {
      const more = reservedUnits(need, kv.get<number>(`count:${need.name}`) ?? 0);
      if (more === null) return refused(need.refusal);
      units[need.name] = more;
    }
    for (const [name, more] of Object.entries(units)) {
      if (more > 0) kv.put(`count:${name}`, (kv.get<number>(`count:${name}`) ?? 0) + more);
    }
    return { kind: 'reserved', units };
  }
}
