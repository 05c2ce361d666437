import type { Context } from 'hono';
import { accountById } from '../../accounts/account-table.ts';
import { emailCodeTo } from '../../accounts/sign-in-link-api.ts';
import { releaseRequester } from '../../operators/commands.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import type { AccountId, Minor } from '../../platform/types.ts';
import { cancelAndErase } from '../../privacy/personal-data.ts';
import { accountInPath, subscriptionText } from './people-pages.tsx';
import type { PersonFacts } from './people-table.ts';

export interface OperatorAction {
  /** E-mail of the account; empty if it was deleted. */
  person: string;
  title: string;
  explanation: string[];
  /** The button's label; empty if the action is not possible. */
  button: string;
  target: string;
  action: 'refund' | 'receipt' | 'end' | 'release' | 'link' | 'delete' | 'export';
  amount: { label: string; value: string } | null;
  /** Label of the confirmation button, with the amount. */
  confirm: (amount: Minor) => string;
  /** The largest amount as text; empty for no limit. */
  limit: string;
  /** @returns the result for the audit row @throws Refusal */
  run: (amount: Minor | null, key: string) => Promise<string>;
  read: (text: string) => Minor | null;
}

export const noAmount = { amount: null, read: () => null, confirm: () => '', limit: '' };

type AccountAction = 'link' | 'export' | 'delete' | 'release';
type Described = Pick<OperatorAction, 'title' | 'explanation' | 'button' | 'run'>;

const actions: Record<
  AccountAction,
  (c: Context<App>, account: AccountId, facts: PersonFacts) => Described
> = {
  link: (c, account, facts) => ({
    title: 'Resend the app link',
    explanation: [
      facts.account
        ? `A new app link is sent to ${facts.account.email}. It works once.`
        : 'The account was deleted, so no link can be sent.',
    ],
    button: 'Send',
    run: async (_, key) => {
      const owner = await accountById(accountDatabase(c.env, account), account);
      if (!owner) throw new Refusal('not_found');
      await emailCodeTo(c, owner, 'app', { id: `console:${key}` });
      return 'queued';
    },
  }),
  export: () => ({
    title: 'Export personal data',
    explanation: [
      'Downloads a file with everything that is stored about this person. Give it only to them.',
    ],
    button: 'Export',
    run: async () => 'exported',
  }),
  delete: (c, account, facts) => ({
    title: `Delete the data of ${nameOf(facts) || facts.account?.email || account}`,
    explanation: [
      [nameOf(facts), facts.account?.email, `account ${account}`].filter(Boolean).join(' · '),
      ['Today', ...activeLines(facts)].join('\n'),
      [
        'Will happen',
        'Every renewal ends at the provider. The person can no longer use what is paid for, and nothing is refunded.',
      ].join('\n'),
      `Deleted\nThe account, its codes, consents, events and ${count(facts.invitations.length, 'invitation')}.`,
      `Kept\n${count(captures(facts), 'payment')}, with the account ID only, because accounting law requires it.`,
    ],
    button: 'Delete permanently',
    run: async () => {
      const subscriptions = await cancelAndErase(c.env, account, async () => null);
      return `deleted; subscriptions: ${subscriptions.length}`;
    },
  }),
  release: (c, account) => ({
    title: 'Release the account',
    explanation: [
      'An invitee reported this account. It cannot invite anybody or see a location until you release it.',
      'If another browser had asked before the owner confirmed the email, only that browser is paused, and you release it here.',
    ],
    button: 'Release',
    run: async () => {
      await releaseRequester(c.env, account);
      return 'released';
    },
  }),
};

const nameOf = ({ account }: PersonFacts) =>
  account && account.name !== account.email ? account.name : '';

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

const captures = ({ ledger }: PersonFacts) =>
  ledger.filter(({ kind }) => kind === 'capture').length;

function activeLines({ subscriptions }: PersonFacts): string[] {
  const active = subscriptions.filter(({ status }) => status !== 'ended');
  return active.length === 0 ? ['No subscription is active.'] : active.map(subscriptionText);
}

const isAccountAction = (action: string): action is AccountAction => Object.hasOwn(actions, action);

export function accountAction(c: Context<App>, facts: PersonFacts): OperatorAction | null {
  const account = accountInPath(c);
  const action = c.req.param('action') ?? '';
  if (!isAccountAction(action)) return null;
  const person = facts.account?.email ?? '';
  return { target: account, action, person, ...noAmount, ...actions[action](c, account, facts) };
}
