import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Skeleton } from '../../../islands/ui/skeleton.tsx';
import UpsellOffer from '../../../islands/upsell-offer.tsx';
import { htmlOf, text, upsell } from '../html.tsx';

const words = text['card-form'];
const offer = /This is taking longer than usual\..*<a href="">Reload the page<\/a>/;

it('reload link: offers a reload only while something is loading', () => {
  const of = (loaded: boolean) =>
    htmlOf(<Skeleton loaded={loaded} label={words.loading} text={words} />);
  expect(of(false)).toMatch(offer);
  expect(of(true)).not.toMatch(offer);
});

it('reload link: is in the HTML of an offer whose script never loaded', () => {
  const html = htmlOf(
    <UpsellOffer
      text={text['upsell-offer']}
      plan={upsell}
      language="en"
      vendors=""
      next="/success"
      orderButton="pay"
    />,
  );
  expect(html).toMatch(offer);
});

it('reload link: is shown by CSS after a delay', () => {
  const css = readFileSync('islands/ui/reload-link.module.css', 'utf8');
  expect(css).toMatch(/visibility: hidden;\s+animation: come 0s 15s forwards/);
});
