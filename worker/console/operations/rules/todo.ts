import type { MonitorState } from '../../../monitoring/monitor-state.ts';
import { alarmKinds } from '../../../monitoring/rules/alarm-kinds.ts';
import { type Incident, isUrgent, openIncidents } from '../../../monitoring/rules/incidents.ts';
import type { Health } from '../../../operators/health.ts';
import type { AccountId, Minor, PaymentId } from '../../../platform/types.ts';
import { type AmountText, providerText } from '../../people/rules/person.ts';

/** A fraud warning or an open dispute. */
export type OpenRisk = {
  gateway: string;
  paymentId: PaymentId;
  /** Null if no account's ledger has the payment. */
  account: AccountId | null;
  email: string | null;
  amount: Minor | null;
  currency: string;
} & ({ kind: 'warning'; at: number } | { kind: 'dispute'; dueAt: number | null });

export interface Todo {
  text: string;
  href: string;
}

export interface TodoReader {
  /** Formats ms since 1970 in the person's time zone. */
  clock: (time: number) => string;
  /** Whether the role has access to people. */
  mayPeople: boolean;
  amount: AmountText;
}

const staleMs = 10 * 60_000;

/** The problem and the first step to take. */
export function riskText(risk: OpenRisk, { clock, mayPeople, amount }: TodoReader): string {
  const sum = risk.amount === null ? 'a payment' : amount(risk.amount, risk.currency);
  const who = mayPeople ? (risk.email ?? risk.paymentId) : 'one buyer';
  if (risk.kind === 'warning')
    return `${providerText(risk.gateway)} warns of fraud: ${sum} from ${who}. If it looks like fraud, refund it before it becomes a dispute.`;
  const until = risk.dueAt === null ? 'It cannot be answered.' : `Respond by ${clock(risk.dueAt)}.`;
  return `Dispute at ${providerText(risk.gateway)}: ${sum} from ${who}. ${until}`;
}

function riskTodo(risk: OpenRisk, reader: TodoReader): Todo {
  const isTheirs = reader.mayPeople && risk.account !== null;
  const person = `/console/people/${risk.account}`;
  const refund = risk.kind === 'warning' ? `${person}/refund/${risk.paymentId}` : person;
  return { text: riskText(risk, reader), href: isTheirs ? refund : '/console/money#disputes' };
}

const alarmTodo = ({ kind, segment, detail }: Incident): Todo => ({
  text: `${alarmKinds[kind].title}${segment && ` (${segment})`}: ${detail}.`,
  href: '/console/operations#alarms',
});

const parts: Record<keyof Health['bindings'], string> = {
  kv: 'Settings and texts do not respond.',
  d1: 'The database of accounts and payments does not respond.',
  purchases: 'Purchases do not respond.',
};

/** Tasks for people, the most urgent first. */
export function todoOf(
  seen: {
    monitor: Pick<MonitorState, 'incidents' | 'watchedAt'> | null;
    health: Pick<Health, 'bindings' | 'payments' | 'secrets'>;
    deadLetters: readonly unknown[] | null;
    risks: readonly OpenRisk[];
  },
  now: number,
  reader: TodoReader,
): Todo[] {
  const { monitor, health, deadLetters, risks } = seen;
  const operations = (text: string, part = ''): Todo => ({
    text,
    href: `/console/operations${part}`,
  });
  // Risks are listed one by one.
  const alarms = openIncidents(monitor?.incidents ?? []).filter(
    ({ kind }) => kind !== 'fraud_warning' && kind !== 'dispute_due',
  );
  const due = (risk: OpenRisk) =>
    risk.kind === 'dispute' ? (risk.dueAt ?? Infinity) : Number.NEGATIVE_INFINITY;
  const down = Object.entries(health.bindings).filter(([, state]) => state === 'down');
  const watchedAt = monitor?.watchedAt ?? null;
  const failed = deadLetters?.length ?? 0;
  return [
    ...down.map(([part]) => operations(parts[part as keyof Health['bindings']])),
    ...alarms.filter(isUrgent).map(alarmTodo),
    ...risks.toSorted((a, b) => due(a) - due(b)).map((risk) => riskTodo(risk, reader)),
    ...[...health.payments, ...health.secrets].map((text) => operations(`${text}.`)),
    ...(monitor ? [] : [operations('Monitoring does not respond.')]),
    ...(watchedAt !== null && now - watchedAt > staleMs
      ? [operations(`The last check ran at ${reader.clock(watchedAt)}.`, '#alarms')]
      : []),
    ...(failed > 0
      ? [
          operations(
            `${failed} ${failed === 1 ? 'message' : 'messages'} failed permanently. Fix the cause, then replay.`,
            '#dead-letters',
          ),
        ]
      : []),
    ...alarms.filter((one) => !isUrgent(one)).map(alarmTodo),
  ];
}
