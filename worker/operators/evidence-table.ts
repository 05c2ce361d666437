import type { D1Database } from '@cloudflare/workers-types';
import type { Notice } from '../payments/notices/email-notices.ts';
import type { AccountId, AttemptId } from '../platform/types.ts';

export interface EvidenceBuyer {
  email: string;
  name: string;
  country: string;
  language: string;
  createdAt: number;
  verifiedAt: number | null;
}

export async function evidenceAccount(
  db: Pick<D1Database, 'prepare'>,
  account: AccountId,
): Promise<EvidenceBuyer | null> {
  return db
    .prepare(
      `SELECT email, name, country, language, created_at AS createdAt, verified_at AS verifiedAt
       FROM accounts WHERE id = ?`,
    )
    .bind(account)
    .first<EvidenceBuyer>();
}

/** Something that the buyer did or received; ms since 1970. */
export interface DatedFact {
  what: string;
  at: number;
}

/** Codes used to open the app or the account, and invitations. Codes are kept for about a week. */
export async function accessOf(
  db: Pick<D1Database, 'prepare'>,
  account: AccountId,
): Promise<DatedFact[]> {
  const { results } = await db
    .prepare(
      `SELECT 'link used: ' || purpose AS what, used_at AS at FROM one_time_codes
         WHERE account_id = ?1 AND used_at IS NOT NULL
       UNION ALL SELECT 'code typed into the app', used_at FROM manual_codes
         WHERE account_id = ?1 AND used_at IS NOT NULL
       UNION ALL SELECT 'invitation created', created_at FROM invitations WHERE account_id = ?1
       ORDER BY 2`,
    )
    .bind(account)
    .all<DatedFact>();
  return results;
}

/** All e-mails about a purchase; their ids begin with the template and the attempt. */
const templates = {
  purchase_confirmation: true,
  renewal_reminder: true,
  cancellation: true,
  extra_ended: true,
  debit_processing: true,
  debit_failed: true,
  payment_confirmation: true,
  renewal_failed: true,
  card_expires: true,
  renewal_receipt: true,
  resumption: true,
  plan_change: true,
  price_raise: true,
  pause_reminder: true,
  withdrawal: true,
  refund: true,
} satisfies Record<Notice['template'], true>;

/** A purchase's sent e-mails, found by their possible ids. Kept for 90 days. */
export async function emailsOf(
  db: Pick<D1Database, 'prepare'>,
  attempt: AttemptId,
  refunds: readonly string[],
): Promise<DatedFact[]> {
  const prefixes = Object.keys(templates).map((template) => `${template}:${attempt}`);
  const all = [...prefixes, ...refunds.map((id) => `refund:${id}`)];
  const { results } = await db
    .prepare(
      `SELECT substr(sent_emails.id, 1, instr(sent_emails.id, ':') - 1) AS what, sent_at AS at
       FROM json_each(?) CROSS JOIN sent_emails
         ON sent_emails.id >= json_each.value AND sent_emails.id < json_each.value || ';'
       ORDER BY sent_at`,
    )
    .bind(JSON.stringify(all))
    .all<DatedFact>();
  return results;
}
