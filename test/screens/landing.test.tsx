import { expect, it } from 'vitest';
import { Landing } from '../../screens/landing.tsx';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

it('landing: posts the number to its own path in an uncontrolled field', () => {
  const html = htmlOf(<Landing {...props} variant="one_pager" />);
  expect(html).toMatch(/<form[^>]*action="\/one_pager" method="post"/);
  expect(html).toMatch(/<input[^>]*name="phone"/);
});

it('landing: the short page says who is asked, how it works and what it costs, and no more', () => {
  const words = wordsOf(htmlOf(<Landing {...props} variant="one_pager_l1" />));
  expect(words).toContain(
    'Ask where they are. They get a link and answer with one tap. No app needed.',
  );
  expect(words).toContain('Only with their consent Confidential Secure SSL');
  expect(words).toContain('How it works');
  expect(words).not.toContain('Why Geozilla');
});

it.each(['one_pager', 'one_pager_all', 'one_pager_ai', 'one_pager_l1', 'one_pager_l2'] as const)(
  'landing: %s shows every price with its renewal, before any input',
  (variant) => {
    const words = wordsOf(htmlOf(<Landing {...props} variant={variant} />));
    expect(words).toContain('7-day intro Then $39.99 every month $6.99');
    expect(words).toContain('3 months $20.00 a month, billed $59.99 every 3 months $59.99');
  },
);

it.each(['one_pager', 'one_pager_all', 'one_pager_ai', 'one_pager_l2'] as const)(
  'landing: %s ends in its promise and a link to the field',
  (variant) => {
    const html = htmlOf(<Landing {...props} variant={variant} />);
    expect(html).toMatch(
      /<p class="strong break">[^<]+<\/p><a [^>]*href="#top"[^>]*>Enter a number<\/a><\/section>/,
    );
  },
);

it('landing: the picture names nobody, and the trust row is the configured one', () => {
  const html = htmlOf(<Landing {...props} variant="one_pager_l2" />);
  expect(/<svg class="[^"]*drawing.*?<\/svg>/.exec(html)?.[0]).toContain('The other person');
  const labels = ['consent', 'refund', 'cancel'] as const;
  const own = { ...props, page: { ...page, trust: labels } };
  expect(wordsOf(htmlOf(<Landing {...own} variant="one_pager" />))).toContain(
    'Only with their consent Money back if they don’t agree Cancel online',
  );
});

it('landing: in a flow with questions the heading takes the typed name, else its own words', () => {
  const asked = { ...props, page: { ...page, flow: { ...page.flow, hasQuestions: true } } };
  const heading = /<h1.*?<\/h1>/.exec(htmlOf(<Landing {...asked} variant="one_pager" />))?.[0];
  expect(heading).toContain('<span>Know they’re OK.</span>');
  expect(heading).toContain('Know <bdi data-fill="map.name"></bdi> is OK.');
});

it('landing: production has no test badge', () => {
  const live = { ...props, page: { ...page, isTestMode: false } };
  expect(htmlOf(<Landing {...live} variant="one_pager" />)).not.toContain('Test');
});

it('landing: the long page lists reviews, marked as samples, none in production', () => {
  const long = (test: boolean) => {
    const its = { ...props, page: { ...page, isTestMode: test } };
    return wordsOf(htmlOf(<Landing {...its} variant="one_pager_l2" />));
  };
  expect(long(true).match(/Sample review/g)).toHaveLength(3);
  expect(long(false)).not.toMatch(/What people say|Sample (review|claim)/);
});
