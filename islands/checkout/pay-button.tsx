import { interpolate } from '../../locales/format/interpolate.ts';
import { type ButtonProps, ContinueButton } from '../ui/continue-button.tsx';

type Props = Omit<ButtonProps, 'label'> & {
  text: Record<'pay' | 'order' | 'due' | 'paying', string>;
  orderButton: 'pay' | 'order';
  amount: string;
};

/** EU law requires the prescribed label alone on an order button, so the amount is above it. */
export function PayButton({ text, orderButton, amount, ...button }: Props) {
  return (
    <>
      {orderButton === 'order' && amount && (
        <p className="strong center tabular">{interpolate(text.due, { amount })}</p>
      )}
      <ContinueButton
        {...button}
        label={button.pending ? text.paying : interpolate(text[orderButton], { amount })}
      />
    </>
  );
}
