import { expect, it } from 'vitest';
import { MyAccountScreen } from '../../screens/my-account.tsx';
import { Success } from '../../screens/success.tsx';
import { htmlOf, props } from './page-fixture.tsx';

const { text } = props;

const propsOn = (island: string, screen: Parameters<typeof htmlOf>[0]) =>
  new RegExp(`<x-island name="${island}"[^>]*props="([^"]*)"`).exec(htmlOf(screen))?.[1];

it('my account: offers the refund once, at the purchase', () => {
  const manage = propsOn('my-account', <MyAccountScreen {...props} mode="manage" />);
  const success = propsOn('invite-panel', <Success {...props} />);
  expect([manage, success].map((given) => given?.includes('refunds&quot;'))).toEqual([false, true]);
});

it('my account: the steps of a cancellation have their texts on cancel only, a refund’s words are on success only', () => {
  const has = (word: string) =>
    (['manage', 'cancel'] as const).map((mode) =>
      propsOn('my-account', <MyAccountScreen {...props} mode={mode} />)?.includes(word),
    );
  expect(has('&quot;which&quot;')).toEqual([false, true]);
  expect(has(text['invite-panel'].back)).toEqual([false, false]);
  expect(propsOn('invite-panel', <Success {...props} />)).toContain(text['invite-panel'].back);
});

it('my account: shows invitations on manage, not on cancel', () => {
  const invites = (['manage', 'cancel'] as const).map((mode) =>
    propsOn('my-account', <MyAccountScreen {...props} mode={mode} />)?.includes('invite&quot;'),
  );
  expect(invites).toEqual([true, false]);
});
