import type { IslandText } from '../locales/index.ts';
import type { StreetSource } from '../worker/rendering/page-types.ts';
import { Invitations } from './invitations/invitations.tsx';

interface Props {
  text: IslandText['invite-panel'];
  language: string;
  refunds: string;
  streetSource: StreetSource | null;
}

/** Step 1 of the success page: sending an invitation, and its answer. */
export default function InvitePanel({ text, language, refunds, streetSource }: Props) {
  return (
    <Invitations
      text={text}
      language={language}
      refunds={refunds}
      streetSource={streetSource}
      step
    />
  );
}
