import { expect, it } from 'vitest';
import { OrderTable } from '../../../islands/checkout/order-table.tsx';
import { PlanOption } from '../../../islands/checkout/plan-option.tsx';
import { CircleProgress } from '../../../islands/ui/circle-progress.tsx';
import { ContinueButton } from '../../../islands/ui/continue-button.tsx';
import { ContinueLink } from '../../../islands/ui/continue-link.tsx';
import { LoadingOverlay } from '../../../islands/ui/loading-overlay.tsx';
import { RadioCard } from '../../../islands/ui/radio-card.tsx';
import { SegmentedProgress } from '../../../islands/ui/segmented-progress.tsx';
import { Skeleton } from '../../../islands/ui/skeleton.tsx';
import { htmlOf, wordsOf } from '../html.tsx';

const item = {
  id: 'monthly_7d_usd',
  title: '7-day intro',
  renewal: 'then $39.99 every month',
  minor: 699,
  currency: 'USD',
  language: 'en',
  period: 'for 7 days',
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
  const html = htmlOf(<PlanOption {...item} label="Save 50%" perDay="$1.00 a day" chosen />);
  const spoken = wordsOf(html.replace(/<span[^>]*aria-hidden="true".*?<\/span><\/span>/g, ''));
  expect(spoken.match(/\$6\.99/g)).toHaveLength(1);
  expect(spoken).toContain('then $39.99 every month');
  expect(html).toMatch(/type="radio"[^>]*required[^>]*name="plan"[^>]*checked/);
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

it('progress ring: a small one has no figure', () => {
  expect(wordsOf(htmlOf(<CircleProgress percent={50} size={40} label="Checking" />))).toBe('');
});

it('segmented progress: draws one segment per step', () => {
  const html = htmlOf(<SegmentedProgress total={4} done={2} label="Checking" />);
  expect(html.match(/<span/g)).toHaveLength(4);
  expect(html).toContain('aria-valuenow="2"');
});

it('radio card: is a radio that works before hydration', () => {
  const html = htmlOf(<RadioCard name="method" value="card" label="Card" chosen />);
  expect(html).toMatch(/name="method"[^>]*checked=""[^>]*value="card"/);
});

it('plan option: shows today before the renewal', () => {
  const words = wordsOf(
    htmlOf(
      <OrderTable
        title="Your order"
        name="7-day intro"
        today={['Today you pay', '$6.99']}
        rows={[['Then', '$39.99 in 7 days']]}
        note="Renews until you cancel."
      />,
    ),
  );
  expect(words).toBe(
    'Your order 7-day intro Today you pay $6.99 Then $39.99 in 7 days Renews until you cancel.',
  );
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
