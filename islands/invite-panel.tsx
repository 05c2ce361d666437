import type { IslandText } from '../locales/index.ts';
import { Invitations } from './invitations/invitations.tsx';

interface Props {
  text: IslandText['invite-panel'];
  language: string;
  /** Path of the refund policy. */
  refunds: string;
}

/** Step 1 of the success page: asking somebody, and their answer. */
export default function InvitePanel({ text, language, refunds }: Props) {
  return <Invitations text={text} language={language} refunds={refunds} step={1} />;
}
