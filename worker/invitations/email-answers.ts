import { type EmailMessage, siteOrigin } from '../email/enqueue-email.ts';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { answerEmail, answerEmailAt } from './rules/answer-email.ts';
import { endsAt } from './rules/invitation.ts';

const template = 'invitation_answer';

/**
 * E-mails the requesters the answers that are due. A repeated message has the same id, and is one e-mail.
 * @returns false when the queue is down
 */
export async function emailAnswers(invitee: InviteeStorage, env: Env, log: Log): Promise<boolean> {
  const now = Date.now();
  try {
    for (const one of invitee.invitations(now)) {
      const email = answerEmail(one);
      const dueAt = answerEmailAt(one, now);
      if (!email || dueAt === null || dueAt > now) continue;
      const { answer } = email;
      const message: EmailMessage<typeof template> = {
        id: `${template}:${one.id}:${answer}`,
        template,
        account: one.account,
        site: siteOrigin(env, invitee.outbox.site),
        until: answer === 'yes' ? endsAt(one) : null,
        data: { answer, number: one.numberEnd, duration: one.duration },
      };
      await env.EMAIL_QUEUE.send(message);
      invitee.markTold(one.id, answer, now);
    }
    return true;
  } catch (error) {
    log('warn', 'email_enqueue_failed', { template, reason: reasonOf(error) });
    return false;
  }
}
