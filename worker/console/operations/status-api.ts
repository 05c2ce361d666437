import { createHandlers } from '../../http/handlers.ts';
import { openIncidents } from '../../monitoring/rules/incidents.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { countsOf } from '../overview/overview-table.ts';
import { figuresOf, type KeyFigure } from '../overview/rules/overview.ts';
import { operationsState } from './operations-state.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** The last full hour, compared with the same hour of yesterday. */
async function lastHour(db: Parameters<typeof countsOf>[0], now: number): Promise<KeyFigure[]> {
  const to = now - (now % hourMs);
  const hour = { from: to - hourMs, to, unit: 'hour' } as const;
  const yesterday = { ...hour, from: hour.from - dayMs, to: to - dayMs };
  const counts = await Promise.all([hour, yesterday].map((period) => countsOf(db, period, {})));
  const [here, before] = counts;
  return here && before ? figuresOf(here, before, [hour.from]) : [];
}

/** For `npm run status`. `figures` is null while the rollups cannot be read. */
export const getStatusForOperators = createHandlers(async (c) => {
  const [state, figures] = await Promise.all([
    operationsState(c.env),
    lastHour(c.env.ANALYTICS, Date.now()).catch(unanswered(c.var.log, 'ANALYTICS', null)),
  ]);
  const { health, parts, refused, deadLetters, monitor } = state;
  return c.json({
    data: {
      health,
      parts,
      refused,
      dead_letters: deadLetters?.length ?? null,
      alarms: monitor && openIncidents(monitor.incidents).length,
      figures:
        figures?.map(({ name, currency, value, before }) => ({
          name,
          currency,
          value,
          before,
        })) ?? null,
    },
  });
});
