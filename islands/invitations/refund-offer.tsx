import { dayText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';

type Props = {
  text: IslandText['invite-panel'];
  language: string;
  /** Until when it can be claimed, ms since 1970; 0 if it cannot be claimed now. */
  until: number;
  refundPolicy: string;
  pending: boolean;
  onClaim: () => void;
};

export function RefundOffer({ text, language, until, refundPolicy, pending, onClaim }: Props) {
  if (until === 0) {
    return (
      <p>
        {text.back_terms} <a href={refundPolicy}>{text.back_link}</a>
      </p>
    );
  }
  return (
    <>
      <p>{interpolate(text.back, { date: dayText(until, language) })}</p>
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
