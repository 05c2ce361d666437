import type { Permissions } from '../../../worker/visitor/rules/consent.ts';

type Signal = 'ad_storage' | 'ad_user_data' | 'ad_personalization' | 'analytics_storage';

/**
 * Google consent mode's four signals (developers.google.com/tag-platform/security/guides/consent).
 */
export function googleConsentMode({ measuring, ads }: Permissions) {
  const word = (yes: boolean) => (yes ? 'granted' : 'denied');
  return {
    ad_storage: word(ads),
    ad_user_data: word(ads),
    ad_personalization: word(ads),
    analytics_storage: word(measuring),
  } satisfies Record<Signal, 'granted' | 'denied'>;
}
