import { expect, it } from 'vitest';
import OneClick from '../../islands/one-click.tsx';
import { htmlOf, intro, text } from './html.tsx';

const texts = { network: '', unknown: '', checking: '', default: '', payment: '' };

it('keeps its place until it is known what works here', () => {
  const html = htmlOf(
    <OneClick
      text={text['one-click']}
      texts={texts}
      plans={[intro]}
      names={['7-day intro']}
      language="en"
      vendors=""
      orderButton="pay"
      paypal={false}
      google={{ id: '', country: 'US' }}
      processing="Wait."
    />,
  );
  expect(html).toContain('data-state="looking"');
  expect(html).not.toContain(text['one-click'].none);
  // Nothing says that there is a choice before there is one.
  expect(html).toMatch(/<p class="[^"]*hidden[^"]*" aria-hidden="true">or<\/p>/);
});
