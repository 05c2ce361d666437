import type { ScreenProps } from '../../worker/rendering/page-types.ts';

/** The plan that this browser bought, and its next charge. */
export function BoughtPlan({
  text,
  className,
}: Pick<ScreenProps, 'text'> & { className: 'card' | 'note' }) {
  return (
    <p className={className} data-need="checkout.bought" data-missing="">
      <bdi className="strong" data-fill="checkout.bought" />
      <br />
      {`${text['my-account'].next}: `}
      <bdi data-fill="checkout.renews" />
    </p>
  );
}
