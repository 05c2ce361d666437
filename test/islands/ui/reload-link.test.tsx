import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Skeleton } from '../../../islands/ui/skeleton.tsx';
import UpsellOffer from '../../../islands/upsell-offer.tsx';
import { htmlOf, text, upsell } from '../html.tsx';

const words = text['card-form'];
const offer = /This is taking longer than usual\..*<a href="">Reload the page<\/a>/;

it('offers to load the page anew while something is awaited, and no longer', () => {
  const of = (loaded: boolean) =>
    htmlOf(<Skeleton loaded={loaded} label={words.loading} text={words} />);
  expect(of(false)).toMatch(offer);
  expect(of(true)).not.toMatch(offer);
});

it('stands in the HTML of an offer, for whose script never came', () => {
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

it('is shown by no script, and not at once', () => {
  const css = readFileSync('islands/ui/reload-link.module.css', 'utf8');
  expect(css).toMatch(/visibility: hidden;\s+animation: come 0s 15s forwards/);
});
