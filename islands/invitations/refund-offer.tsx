import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';

type Props = {
  text: IslandText['invite-panel'];
  claimable: boolean;
  refundPolicy: string;
  pending: boolean;
  onClaim: () => void;
};

export function RefundOffer({ text, claimable, refundPolicy, pending, onClaim }: Props) {
  if (!claimable) {
    return (
      <p>
        {text.back_terms} <a href={refundPolicy}>{text.back_link}</a>
      </p>
    );
  }
  return (
    <>
      <p>{text.back}</p>
      <ContinueButton
        id="claim-refund"
        label={text.back_button}
        type="button"
        pending={pending}
        onClick={onClaim}
      />
    </>
  );
}
