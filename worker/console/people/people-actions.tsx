import type { Context } from 'hono';
import { runAudited } from '../../operators/audited-command.ts';
import type { App } from '../../platform/env.ts';
import { type ErrorCode, Refusal } from '../../platform/errors.ts';
import type { Minor } from '../../platform/types.ts';
import { everythingOf } from '../../privacy/personal-data.ts';
import { consolePage } from '../parts/console-response.tsx';
import { enterReason, isActionKey, readForm, reasonIn, resendForm } from '../parts/form-fields.ts';
import { refusalText } from '../parts/rules/refusal-text.ts';
import type { OperatorAction } from './account-actions.ts';
import { actionOf } from './payment-actions.ts';
import { accountInPath, isKnownPerson, unknown } from './people-pages.tsx';
import { loadPersonFacts } from './people-table.ts';
import { Action, ConfirmAmount } from './screens/people.tsx';

const personOf = (c: Context<App>, { person }: OperatorAction) => ({
  back: `/console/people/${accountInPath(c)}`,
  person: person || 'Deleted account',
});

function actionPage(
  c: Context<App>,
  prepared: OperatorAction,
  sent: Partial<Sent> = {},
  problem = '',
): Promise<Response> {
  const { title, explanation, button, amount } = prepared;
  const value = sent.amount ?? amount?.value ?? '';
  return consolePage(
    c,
    <Action
      title={title}
      explanation={explanation}
      action={c.req.path}
      {...personOf(c, prepared)}
      button={button}
      actionKey={sent.key ?? crypto.randomUUID()}
      amount={amount && { label: amount.label, value, isFixed: sent.isUnanswered ?? false }}
      reason={sent.reason ?? ''}
      problem={problem}
      typed={typedFor(c, prepared)}
    />,
    problem ? 422 : 200,
  );
}

interface Sent {
  key: string;
  amount: string;
  reason: string;
  /** The outcome is unknown, so only the same form may be sent again. */
  isUnanswered: boolean;
}

/** What must be typed before a deletion: the e-mail, or the id of an account that has none any more. */
const typedFor = (c: Context<App>, { action, person }: OperatorAction) =>
  action === 'delete' ? person || accountInPath(c) : '';

async function preparedFor(c: Context<App>): Promise<OperatorAction | null> {
  const facts = await loadPersonFacts(c.env, accountInPath(c));
  return isKnownPerson(facts) || c.req.path.endsWith('/release') ? actionOf(c, facts) : null;
}

export async function showAction(c: Context<App>): Promise<Response> {
  const prepared = await preparedFor(c);
  return prepared ? actionPage(c, prepared) : unknown(c);
}

/** Runs an action once per key; refunds only after the amount was confirmed. A refusal is shown on the page. */
export async function submitAction(c: Context<App>): Promise<Response> {
  const prepared = await preparedFor(c);
  if (!prepared?.button) return unknown(c);
  const fields = await readForm(c);
  const reason = reasonIn(fields);
  const key = fields.get('key') ?? '';
  const amount = prepared.read(fields.get('amount') ?? '');
  const sent = { reason, amount: fields.get('amount') ?? '' };
  if (!reason) return actionPage(c, prepared, sent, enterReason);
  if (prepared.amount && amount === null) {
    return actionPage(c, prepared, sent, 'Enter an amount, such as 12.50.');
  }
  const typed = typedFor(c, prepared);
  if ((fields.get('typed') ?? '').trim().toLowerCase() !== typed.toLowerCase()) {
    return actionPage(c, prepared, sent, `Type ${typed} to confirm.`);
  }
  if (!isActionKey(key)) return actionPage(c, prepared, sent, resendForm);
  const step = fields.get('step');
  if (step === 'change') return actionPage(c, prepared, { ...sent, key });
  if (amount !== null && step !== 'confirmed')
    return confirmPage(c, prepared, amount, { ...sent, key });
  return runAction(c, prepared, amount, { ...sent, key });
}

function confirmPage(
  c: Context<App>,
  prepared: OperatorAction,
  amount: Minor,
  sent: Omit<Sent, 'isUnanswered'>,
): Promise<Response> {
  const { title, confirm, explanation } = prepared;
  return consolePage(
    c,
    <ConfirmAmount
      {...personOf(c, prepared)}
      title={title}
      explanation={explanation}
      action={c.req.path}
      button={confirm(amount)}
      sent={sent}
    />,
  );
}

async function runAction(
  c: Context<App>,
  prepared: OperatorAction,
  amount: Minor | null,
  sent: Omit<Sent, 'isUnanswered'>,
): Promise<Response> {
  const { action, target } = prepared;
  const { key, reason } = sent;
  const details = { amount, key };
  const command = { operator: c.var.person.email, action, target, details, reason };
  try {
    const context = { DB: c.env.DB, log: c.var.log };
    await runAudited(context, command, () => prepared.run(amount, key), String);
    if (action === 'export') return exported(c);
    if (action === 'delete') return c.redirect(`/console/audit?q=${accountInPath(c)}`, 303);
    return c.redirect(`/console/people/${accountInPath(c)}?done=${action}`, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(c, prepared, sent, error.code);
  }
}

/** The submitted form with the reason and the actions that are possible now. A refused command's key is used up. */
async function refused(
  c: Context<App>,
  before: OperatorAction,
  { key, ...sent }: Omit<Sent, 'isUnanswered'>,
  code: ErrorCode,
): Promise<Response> {
  const isUnanswered = code === 'gateway_ambiguous';
  const { limit } = (await preparedFor(c)) ?? before;
  const why = code === 'refund_too_large' && limit ? limit : refusalText(code);
  const resent = isUnanswered ? { ...sent, key, isUnanswered } : sent;
  return actionPage(c, before, resent, why);
}

async function exported(c: Context<App>): Promise<Response> {
  const account = accountInPath(c);
  return c.body(JSON.stringify(await everythingOf(c.env, account), null, 2), 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${account}.json"`,
    'cache-control': 'no-store',
  });
}
