import { interpolate } from '../../locales/format/interpolate.ts';
import { type ButtonProps, ContinueButton } from '../ui/continue-button.tsx';

type Props = Omit<ButtonProps, 'label'> & {
  text: Record<'pay' | 'order' | 'trial' | 'due' | 'paying', string>;
  orderButton: 'pay' | 'order';
  amount: string;
  /** Said instead of the usual label, where the law prescribes none. */
  again?: string;
  isFree?: boolean;
};

/** EU law requires the prescribed label alone on an order button, so the amount is above it. */
export function PayButton({ text, orderButton, amount, again, isFree, ...button }: Props) {
  const isAgain = again && amount && orderButton === 'pay';
  const words = isFree && orderButton === 'pay' ? text.trial : text[orderButton];
  const label = isAgain ? `${again} · ${amount}` : interpolate(words, { amount });
  return (
    <>
      {orderButton === 'order' && amount && (
        <p className="strong center tabular">{interpolate(text.due, { amount })}</p>
      )}
      <ContinueButton {...button} label={button.pending ? text.paying : label} />
    </>
  );
}
