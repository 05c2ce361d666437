import type { IslandText } from '../locales/index.ts';
import { Invitations } from './invitations/invitations.tsx';

interface Props {
  text: IslandText['invite-panel'];
  language: string;
  refunds: string;
  tiles: boolean;
}

/** Step 1 of the success page: sending an invitation, and its answer. */
export default function InvitePanel({ text, language, refunds, tiles }: Props) {
  return <Invitations text={text} language={language} refunds={refunds} tiles={tiles} step={1} />;
}
