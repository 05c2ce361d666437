import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import { Skeleton } from '../../../islands/checkout/card-fields.tsx';
import { PerPlan } from '../../../islands/checkout/per-plan.tsx';
import { PlanOption } from '../../../islands/checkout/plan-option.tsx';
import { LookupSteps } from '../../../islands/phone/lookup-steps.tsx';
import { CircleProgress } from '../../../islands/ui/circle-progress.tsx';
import { ContinueButton, ContinueLink } from '../../../islands/ui/continue-button.tsx';
import { copyAsync } from '../../../islands/ui/copy-async.ts';
import { LoadingOverlay } from '../../../islands/ui/loading-overlay.tsx';
import { QrCode } from '../../../islands/ui/qr-code.tsx';
import { RadioCard } from '../../../islands/ui/radio-card.tsx';
import UpsellOffer from '../../../islands/upsell-offer.tsx';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { htmlOf, text, upsell, wordsOf } from '../render-html.tsx';

it('qr code: accepts SVG text and data URLs', () => {
  const html = (picture: string) => htmlOf(<QrCode picture={picture} label="" />);
  expect(html('data:image/svg+xml;base64,AA')).toContain('src="data:image/svg+xml;base64,AA"');
  expect(html('<svg a="#1"/>')).toContain('src="data:image/svg+xml,%3Csvg%20a%3D%22%231%22%2F%3E"');
});

it('copy: calls the clipboard before the text is loaded', async () => {
  const write = vi.fn(async (_items: { parts: Record<string, Promise<Blob>> }[]) => {});
  vi.stubGlobal('navigator', { clipboard: { write } });
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly parts: Record<string, Promise<Blob>>;
      constructor(parts: Record<string, Promise<Blob>>) {
        this.parts = parts;
      }
    },
  );
  const { promise, resolve } = Promise.withResolvers<string>();
  const copied = copyAsync(promise);
  expect(write).toHaveBeenCalledTimes(1);
  resolve('a link');
  await copied;
  const [item] = write.mock.calls[0]?.[0] ?? [];
  expect(await (await item?.parts['text/plain'])?.text()).toBe('a link');
});

it('copy: falls back to plain text', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  vi.stubGlobal('ClipboardItem', undefined);
  await copyAsync(Promise.resolve('a link'));
  expect(writeText).toHaveBeenCalledWith('a link');
});

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
      text={{ ...text['upsell-offer'], refused: '' }}
      card={{ ...text['card-form'], secure: '', by: '', bank: '' }}
      stripe={{ key: '', name: '' }}
      plan={upsell}
      every="every month"
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

const css = readFileSync('islands/checkout/per-plan.module.css', 'utf8');

it('per plan: CSS covers every number of plans, in the offer and after it', () => {
  const main = builtInCatalog.families.filter(
    (name) => builtInCatalog.planOf(name, 'USD').slot === 'main',
  );
  const groups = [
    ['plan', 'offer'],
    ['after', 'afterOffer'],
  ];
  for (const [name, group] of groups) {
    for (const at of main.keys()) {
      const radio = `main:has(label:nth-of-type(${at + 1}) > * > [name="${name}"]:checked)`;
      expect(css).toContain(`${radio} .${group} > :nth-child(${at + 1})`);
    }
  }
});

it('per plan: both groups share one place', () => {
  expect(css).toMatch(/\.groups > \* \{\s+grid-area: 1 \/ 1/);
  const group = (after: ReactElement[]) =>
    htmlOf(<PerPlan offer={[<p key="a">a</p>]} plansAfterOffer={after} />);
  expect(group([])).not.toContain('_afterOffer');
  expect(group([<p key="b">b</p>])).toMatch(/_afterOffer_\w+"><div><p>b/);
});

const item = {
  id: 'monthly_7d_usd',
  title: '7-day intro',
  renewal: 'then $39.99 every month',
  minor: 699,
  currency: 'USD',
  language: 'en',
};

it('continue button: has id, type and a spinner while pending', () => {
  expect(htmlOf(<ContinueButton label="Pay" />)).toMatch(/id="continue-button" type="submit"/);
  const pending = htmlOf(<ContinueButton label="Pay" pending />);
  expect(pending).toContain('aria-busy="true"');
  expect(wordsOf(pending)).toBe('Pay');
});

it('continue link: marks links inside the funnel for navigation, and no others', () => {
  expect(htmlOf(<ContinueLink href="/signup" label="On" />)).toContain('data-navigate');
  expect(htmlOf(<ContinueLink href="#top" label="Up" />)).not.toContain('data-navigate');
});

it('price: is read aloud once, in full', () => {
  const html = htmlOf(<PlanOption {...item} label="Save 50%" chosen />);
  const readAloud = wordsOf(html.replace(/<span[^>]*aria-hidden="true".*?<\/span><\/span>/g, ''));
  expect(readAloud.match(/\$6\.99/g)).toHaveLength(1);
  expect(readAloud).toContain('then $39.99 every month');
  expect(html).toMatch(/type="radio"[^>]*required[^>]*name="plan"[^>]*checked/);
});

it('price: nothing is drawn without cents', () => {
  const drawn = (minor: number) => wordsOf(htmlOf(<PlanOption {...item} minor={minor} />));
  expect(drawn(0)).toMatch(/\$ 0$/);
  expect(drawn(500)).toMatch(/\$ 5 00$/);
});

it('price: strikes the old price and announces it', () => {
  const html = htmlOf(<PlanOption {...item} oldPrice="$37.99" oldPriceSpoken="Before: $37.99" />);
  expect(html).toMatch(/<s [^>]*>.*aria-hidden="true">\$37\.99.*Before: \$37\.99.*<\/s>/);
});

it.each([
  [-5, 0],
  [49.6, 50],
  [250, 100],
])('progress ring: %d percent stays within the circle', (percent, shown) => {
  const html = htmlOf(<CircleProgress percent={percent} label="Checking" />);
  expect(html).toContain(`aria-valuenow="${shown}"`);
  expect(html).toContain('width="174"');
});

it('progress ring: a small ring has no figure', () => {
  expect(wordsOf(htmlOf(<CircleProgress percent={50} size={40} label="Checking" />))).toBe('');
});

it('lookup steps: the line that joins them announces how many are done', () => {
  const steps = ['Reading', 'Checking', 'Finding'].map((text) => ({ text }));
  const html = htmlOf(<LookupSteps steps={steps} done={2} label="Checking" meter="line" />);
  expect(html).toMatch(/role="progressbar"[^>]*aria-valuenow="2"[^>]*aria-valuemax="3"/);
  expect(html.match(/data-state="done"/g)).toHaveLength(2);
});

it('radio card: is a radio that works before hydration', () => {
  const html = htmlOf(<RadioCard name="method" value="card" label="Card" chosen />);
  expect(html).toMatch(/name="method"[^>]*checked=""[^>]*value="card"/);
});

it('loading overlay: covers the page only when enabled, with or without a message', () => {
  expect(wordsOf(htmlOf(<LoadingOverlay enabled message="Please wait" />))).toBe('Please wait');
  expect(htmlOf(<LoadingOverlay enabled />)).not.toContain('<p');
  expect(htmlOf(<LoadingOverlay enabled={false} message="Please wait" />)).not.toContain('wait');
});

it('skeleton: names what is loading, and is silent while it fades', () => {
  expect(
    htmlOf(<Skeleton loaded={false} label="Loading" text={{ stuck: '', reload: '' }} />),
  ).toContain('role="status"');
  expect(
    htmlOf(<Skeleton loaded label="Loading" text={{ stuck: '', reload: '' }} />),
  ).not.toContain('role="status"');
});
