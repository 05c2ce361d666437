import { describe, expect, it } from 'vitest';
import { Features } from '../../../screens/features.tsx';
import { Landing } from '../../../screens/landing.tsx';
import type { ScreenProps } from '../../../worker/rendering/page-types.ts';
import { htmlOf, props, wordsOf } from '../page-fixture.tsx';

const claims = [{ text: 'Used in 40 countries', source: 'Annual report 2025' }];
const landings = ['one_pager', 'one_pager_all', 'one_pager_ai', 'one_pager_l2'] as const;
const screens: readonly (readonly [string, (its: ScreenProps) => string])[] = [
  ...landings.map(
    (variant) =>
      [variant, (its: ScreenProps) => htmlOf(<Landing {...its} variant={variant} />)] as const,
  ),
  ['features', (its) => htmlOf(<Features {...its} />)],
];

describe.each(screens)('claims on %s', (_, screen) => {
  const words = (more: Partial<ScreenProps['page']>) =>
    wordsOf(screen({ ...props, page: { ...props.page, ...more } }));

  it.each([true, false])('come from the content store with their source (test: %s)', (test) => {
    expect(
      words({ claims, isTestMode: test }).match(/Used in 40 countries Annual report 2025/g),
    ).toHaveLength(1);
    expect(words({ claims, isTestMode: test })).not.toContain('Sample claim');
  });

  it('are marked samples without a store, and absent in production', () => {
    expect(words({}).match(/Sample claim/g)).toHaveLength(3);
    const figures = /10\+ million|5 meters|AI-powered/g;
    expect(words({}).match(figures)).toHaveLength(3);
    expect(words({ isTestMode: false })).not.toMatch(new RegExp(`Sample claim|${figures.source}`));
  });

  it('are joined by our policy, who we are and what we cannot do, also in production', () => {
    expect(words({ isTestMode: false })).toMatch(
      /100% money back if they don’t agree within 14 days Full refund terms Geozilla is a service of Sample Company\. Company details What we can’t do/,
    );
  });

  it('are shown with the month of their date', () => {
    const dated = claims.map((claim) => ({ ...claim, date: '2026-11-03' }));
    expect(words({ claims: dated })).toContain('Annual report 2025, November 2026');
  });
});
