import { type AdminContext, withRetries } from './admin-client.ts';

/** For a person without an account, who sends the value of their cookie `userUuid`. */
export async function eraseEvents(
  visitor: string,
  reason: string,
  context: AdminContext,
): Promise<void> {
  await withRetries(context, () => context.site.post(`/visitors/${visitor}/erase`, { reason }));
  context.print(
    `New events of ${visitor} are dropped from now on; stored ones are erased within minutes.`,
  );
}
