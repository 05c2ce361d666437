import type { Dispute, Risks } from '../../payments/purchase/risks.ts';
import type { GatewayName } from '../../payments/purchase/state.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import type { Finding } from './alarm-kinds.ts';

/** A gateway's last result; open disputes only. */
export interface KnownRisks extends Risks {
  gateway: GatewayName;
}

/** An unanswered dispute raises an alarm this long before its deadline. */
const noticeMs = 72 * hourMs;
const shownIds = 3;

const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`;

function listed(texts: readonly string[]): string {
  return texts.slice(0, shownIds).join(', ') + (texts.length > shownIds ? ', …' : '');
}

/** A gateway that did not respond keeps its last result. */
export function latestRisks(before: readonly KnownRisks[], read: readonly KnownRisks[]) {
  const answered = new Set(read.map(({ gateway }) => gateway));
  return [...before.filter(({ gateway }) => !answered.has(gateway)), ...read];
}

type Due = Dispute & { dueAt: number };

const isDue =
  (now: number) =>
  (dispute: Dispute): dispute is Due =>
    dispute.dueAt !== null && dispute.dueAt > now && dispute.dueAt - noticeMs <= now;

/** @param minute since 1970 */
export function riskFindings(known: readonly KnownRisks[], minute: number): Finding[] {
  const now = minute * minuteMs;
  const certain = { segment: '', zScore: Number.POSITIVE_INFINITY };
  return known.flatMap(({ gateway, disputes, warnings }): Finding[] => {
    const due = disputes.filter(isDue(now)).toSorted((a, b) => a.dueAt - b.dueAt);
    const [first] = due;
    const payments = listed(warnings.map(({ paymentId }) => paymentId));
    const disputed = listed(due.map(({ paymentId, dueAt }) => `${paymentId} by ${day(dueAt)}`));
    return [
      ...(first
        ? [
            {
              ...certain,
              kind: 'dispute_due' as const,
              area: `dispute_due:${gateway}`,
              detail: `${due.length} without an answer: ${disputed}`,
              since: Math.floor((first.dueAt - noticeMs) / minuteMs),
            },
          ]
        : []),
      ...(warnings.length > 0
        ? [
            {
              ...certain,
              kind: 'fraud_warning' as const,
              area: `fraud_warning:${gateway}`,
              detail: `${warnings.length} ${warnings.length === 1 ? 'payment' : 'payments'}: ${payments}`,
              since: Math.floor(Math.min(...warnings.map(({ at }) => at)) / minuteMs),
            },
          ]
        : []),
    ];
  });
}
