import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';

type Props = {
  text: IslandText['invite-panel'];
  /** Whether the refund can be claimed here; otherwise the text explains how. */
  open: boolean;
  /** Path of the refund policy. */
  terms: string;
  pending: boolean;
  onTake: () => void;
};

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
