import { eraseInvitations } from '../../invitations/invitation-index.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import { hourMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { typedKeys } from '../../platform/keys.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import { accountIdOf } from '../../platform/types.ts';
import { logAmbiguousResponse } from '../attempts/gateway-call.ts';
import { marksOf } from '../attempts/intro-limit.ts';
import type { Profile } from '../attempts/profile.ts';
import { gatewayOf } from '../gateways/index.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';

const log = logger();
const retryDelayMs = hourMs;

export function forgetAccount(storage: PurchaseStorage, env: Env): void {
  // Also without a purchase, so that a request already under way is refused.
  const empty: Profile = { account: accountIdOf(''), email: '', customers: {} };
  const { profile = empty } = storage;
  if (profile.isDeleted) return;
  const gatewaysToErase = typedKeys(profile.customers);
  storage.setProfile({
    ...profile,
    unmarked: marksOf(storage, env),
    email: '',
    isDeleted: true,
    gatewaysToErase,
    hasInvitationsToErase: profile.account !== empty.account,
  });
}

export const isErasing = ({ profile }: PurchaseStorage): boolean =>
  Boolean(profile?.gatewaysToErase?.length || profile?.hasInvitationsToErase);

async function forgetAtInvitees(storage: PurchaseStorage, env: Env): Promise<void> {
  const { account, hasInvitationsToErase } = storage.profile ?? {};
  if (!account || !hasInvitationsToErase) return;
  try {
    if (await eraseInvitations(withBindingTimeouts(env), account))
      storage.updateProfile({ hasInvitationsToErase: false });
  } catch (error) {
    log('warn', 'invitation_cleanup_failed', { account, reason: reasonOf(error) });
  }
}

/** Never throws. @returns when to retry, ms since 1970; null when nothing is left */
export async function forgetElsewhere(storage: PurchaseStorage, env: Env): Promise<number | null> {
  await forgetAtInvitees(storage, env);
  for (const name of storage.profile?.gatewaysToErase ?? []) {
    const { account, customers } = storage.profile ?? { account: accountIdOf(''), customers: {} };
    try {
      const gateway = await gatewayOf(name, env);
      await gateway.forget(account, customers[name]?.customerId ?? '');
    } catch (error) {
      logAmbiguousResponse(error, { vendor: name });
      continue;
    }
    const gatewaysToErase = storage.profile?.gatewaysToErase?.filter((other) => other !== name);
    storage.updateProfile({ gatewaysToErase });
  }
  return isErasing(storage) ? Date.now() + retryDelayMs : null;
}
