import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { decimal } from '../../../locales/format/currency.ts';
import type { MonitorState } from '../../monitoring/monitor-state.ts';
import { runAudited } from '../../operators/audited-command.ts';
import { disputeEvidence } from '../../operators/dispute-evidence.ts';
import { type FeeRow, feesBetween } from '../../payments/ledger/fee-table.ts';
import { gatewayTraits } from '../../payments/purchase/gateway-traits.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { replicaOf } from '../../platform/replica.ts';
import type { PaymentId } from '../../platform/types.ts';
import { reportingOf } from '../overview/overview-view.ts';
import { publicationMarks } from '../overview/publications.ts';
import { consolePage, consoleRefusal, csvResponse } from '../parts/console-response.tsx';
import { amountText } from '../parts/figure-text.ts';
import { periods, previousOf, type ReportPeriod, reportPeriodOf } from '../parts/rules/period.ts';
import { may } from '../parts/rules/roles.ts';
import { localTime } from '../parts/rules/time-zone.ts';
import { clockOf, zoneOf } from '../parts/time-zone-choice.ts';
import { providerText } from '../people/rules/person.ts';
import { type MoneyCount, moneyCounts } from './money-table.ts';
import { totalsView } from './money-view.ts';
import { nightLines } from './operations-pages.tsx';
import { allRefundsBetween, type Refund } from './refund-table.ts';
import { feesOf, type MoneyRow, moneyRows, moneyTotals } from './rules/money.ts';
import { Money } from './screens/money.tsx';
import { monitorState, openRisks } from './status.ts';

const dayMs = 24 * 60 * 60_000;

/** Captures, refunds and disputes are counted by hour and never deleted. */
const periodIn = (c: Context<App>) =>
  reportPeriodOf(
    { period: c.req.query('period') ?? '30d' },
    Date.now(),
    zoneOf(c),
    Number.POSITIVE_INFINITY,
  );

const amountsOf = ({ captured, refunded, disputed, net, currency }: MoneyRow) =>
  [captured, refunded, disputed, net].map((minor) => amountText(minor, currency));

const nameOf = ({ currency, provider }: MoneyRow) => `${currency} at ${providerText(provider)}`;

const traits: Partial<Record<string, { title: string; reportsFees: boolean }>> = gatewayTraits;

/** The providers' fees, as text. */
const feeRows = (
  counts: readonly MoneyCount[],
  fees: readonly FeeRow[],
  { from, to }: ReportPeriod,
): { name: string; cells: string[] }[] =>
  feesOf(counts, fees).map(({ provider, amounts, days }) => ({
    name: providerText(provider),
    cells: [
      amounts.map(({ currency, amount }) => amountText(amount, currency)).join(', ') || '–',
      days > 0
        ? `${days} of ${Math.max(days, Math.round((to - from) / dayMs))}`
        : traits[provider]?.reportsFees === false
          ? `none: ${traits[provider].title} reports fees in its statements only`
          : 'none yet: known after the nightly reconciliation',
    ],
  }));

const whenText = ({ from, to, zone }: ReportPeriod) => {
  const day = (time: number) => localTime(time, zone).slice(0, 10);
  return `${day(from)} to ${day(to - 1)}, ${zone}, compared with ${day(2 * from - to)} to ${day(from - 1)}.`;
};

/** The open disputes and the warnings before one; null if the monitor did not answer. */
async function riskRows(c: Context<App>, monitor: MonitorState | null) {
  const risks = await openRisks(c, monitor);
  const clock = clockOf(c);
  const mayPeople = may(c.var.person.role, 'people');
  const mayRefund = mayPeople && may(c.var.person.role, 'money');
  const accountOf = (payment: string) =>
    mayPeople ? risks.find(({ paymentId }) => paymentId === payment)?.account : null;
  const disputes = monitor?.risks.flatMap((risk) =>
    risk.disputes.map(({ id, paymentId, amount, currency, reason, dueAt }) => {
      const account = accountOf(paymentId);
      return {
        id,
        payment: paymentId,
        amount: amountText(amount, currency),
        reason,
        due: dueAt === null ? 'evidence is not accepted' : clock(dueAt),
        person: account ? `/console/people/${account}` : '',
      };
    }),
  );
  const warnings = risks
    .filter(({ kind }) => kind === 'warning')
    .map(({ paymentId, account, amount, currency, gateway }) => ({
      payment: paymentId,
      amount: amount === null ? '–' : amountText(amount, currency),
      provider: providerText(gateway),
      refund: account && mayRefund ? `/console/people/${account}/refund/${paymentId}` : '',
    }));
  return { disputes: disputes ?? null, warnings };
}

const refundRow = ({ id, occurred_at, amount, currency, gateway, ...row }: Refund) => ({
  id,
  time: new Date(occurred_at).toISOString(),
  amount: amountText(amount, currency),
  provider: providerText(gateway),
  email: row.email ?? 'deleted account',
  payment: row.payment_id,
  account: row.account_id,
  reason: row.reason,
});

export async function showMoney(c: Context<App>): Promise<Response> {
  const period = periodIn(c);
  const mayPeople = may(c.var.person.role, 'people');
  const before = { ...previousOf(period), times: [previousOf(period).from] };
  const [counts, countsBefore, reporting, fees, refunds, monitor, marks] = await Promise.all([
    moneyCounts(replicaOf(c.env.ANALYTICS), period),
    moneyCounts(replicaOf(c.env.ANALYTICS), before),
    reportingOf(c),
    feesBetween(c.env.DB, period),
    mayPeople ? allRefundsBetween(c.env, period) : null,
    monitorState(c.env),
    publicationMarks(c, period),
  ]);
  const rows = moneyRows(counts);
  const { all, ...view } = totalsView({ now: counts, before: countsBefore }, period, reporting);
  return consolePage(
    c,
    <Money
      mayAct={may(c.var.person.role, 'money')}
      periods={Object.keys(periods).map((name) => ({
        name,
        href: `/console/money?period=${name}`,
        isChosen: name === period.name,
      }))}
      when={whenText(period)}
      zone={period.zone}
      isRunning={period.to > Date.now()}
      marks={marks}
      {...view}
      script={chunks['console-chart'] ?? ''}
      totals={[
        ...moneyTotals(counts).map((row) => ({ name: nameOf(row), cells: amountsOf(row) })),
        ...(all ? [{ name: `All, in ${all.currency}`, isTotal: true, cells: amountsOf(all) }] : []),
      ]}
      days={rows.map((row) => ({
        name: row.day,
        key: `${row.day} ${nameOf(row)}`,
        cells: [nameOf(row), ...amountsOf(row)],
      }))}
      refunds={refunds?.map(refundRow) ?? null}
      fees={feeRows(counts, fees, period)}
      {...(await riskRows(c, monitor))}
      nights={monitor ? nightLines(monitor.nightly) : []}
      query={new URLSearchParams({ period: period.name }).toString()}
    />,
  );
}

const columns = ['day', 'currency', 'provider', 'captured', 'refunded', 'disputed', 'net'] as const;

const amounts: readonly string[] = ['captured', 'refunded', 'disputed', 'net'];

export async function exportMoney(c: Context<App>): Promise<Response> {
  const period = periodIn(c);
  const rows = moneyRows(await moneyCounts(replicaOf(c.env.ANALYTICS), period));
  return csvResponse(c, 'money.csv', [
    columns.map((name) => (name === 'day' ? `day, ${period.zone}` : name)),
    ...rows.map((row) =>
      columns.map((name) =>
        amounts.includes(name) ? decimal(Number(row[name]), row.currency) : String(row[name]),
      ),
    ),
  ]);
}

/** A file for the bank. It contains personal data, so the audit records the download. */
export async function showEvidence(c: Context<App>): Promise<Response> {
  const payment = (c.req.param('payment') ?? '').slice(0, 100) as PaymentId;
  const command = {
    operator: c.var.person.email,
    action: 'evidence',
    target: payment,
    details: {},
    reason: 'to answer a dispute',
  };
  try {
    const context = { DB: c.env.DB, log: c.var.log };
    const found = await runAudited(
      context,
      command,
      () => disputeEvidence(c.env, payment),
      () => 'read',
    );
    const { evidenceText } = await import('../../operators/rules/evidence-text.ts');
    return c.body(evidenceText(found, amountText), 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="evidence-${payment.replace(/[^\w-]/g, '')}.txt"`,
      'cache-control': 'no-store',
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return consoleRefusal(c, 404, 'Not found', 'No account has this payment.');
  }
}
