import { expect, it } from 'vitest';
import { MyAccountScreen } from '../../screens/my-account.tsx';
import { Success } from '../../screens/success.tsx';
import { htmlOf, props } from './page.tsx';

/** What the invitations of a screen are given. */
const givenOn = (screen: Parameters<typeof htmlOf>[0]) =>
  /<x-island name="invite-panel"[^>]*props="([^"]*)"/.exec(htmlOf(screen))?.[1];

it('my account: offers the refund once, at the purchase', () => {
  const offers = [
    <MyAccountScreen key="a" {...props} mode="manage" />,
    <Success key="b" {...props} />,
  ];
  expect(offers.map((screen) => givenOn(screen)?.includes('refunds&quot;'))).toEqual([false, true]);
});

it('my account: shows invitations on manage, not on cancel', () => {
  expect(givenOn(<MyAccountScreen {...props} mode="cancel" />)).toBeUndefined();
});
