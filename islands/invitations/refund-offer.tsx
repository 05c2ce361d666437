import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';

type Props = {
  text: IslandText['invite-panel'];
  /** Whether the money comes back by one press; else it is said how it does. */
  open: boolean;
  /** Where refunds are explained. */
  terms: string;
  pending: boolean;
  onTake: () => void;
};

/** Where nobody agreed: the money back. */
export function RefundOffer({ text, open, terms, pending, onTake }: Props) {
  if (!open) {
    return (
      <p>
        {text.back_terms} <a href={terms}>{text.back_link}</a>
      </p>
    );
  }
  return (
    <>
      <p>{text.back}</p>
      <ContinueButton
        id="take-back"
        label={text.back_button}
        type="button"
        pending={pending}
        onClick={onTake}
      />
    </>
  );
}
