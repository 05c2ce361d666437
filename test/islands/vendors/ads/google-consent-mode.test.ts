import { expect, it } from 'vitest';
import { googleConsentMode } from '../../../../islands/vendors/ads/google-tag.ts';

it('google consent mode: sets the four signals', () => {
  expect(Object.values(googleConsentMode({ measuring: true, ads: true }))).toEqual(
    Array(4).fill('granted'),
  );
  expect(googleConsentMode({ measuring: true, ads: false })).toEqual({
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'granted',
  });
});
