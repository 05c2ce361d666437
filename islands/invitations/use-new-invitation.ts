import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { looksLikePhone } from '../phone/dialled-digits.ts';
import { setPhone } from '../phone/entered-phone.ts';
import { $map, chooseLink } from '../stores/map.ts';
import { copyAsync } from '../ui/copy-async.ts';
import type { FormErrors } from './invitation-form.tsx';
import {
  linkFor,
  loadInvitations,
  type Message,
  messageFor,
  type NewInvitation,
  postInvitation,
} from './requester-store.ts';
import { useInvitationWork } from './use-invitation-work.ts';

type Text = IslandText['invite-panel'];
type Fields = Pick<NewInvitation, 'phone' | 'name' | 'duration'>;

const nothing: NewInvitation = { phone: '', country: undefined, name: '', duration: '' };

const errorsOf = ({ phone, name, duration }: Fields, text: Text): FormErrors => ({
  ...(looksLikePhone(phone) ? {} : { phone: text.phone_wrong }),
  ...(name ? {} : { name: text.name_missing }),
  ...(duration ? {} : { duration: text.long_missing }),
});

/** The form of a new invitation, and the message or the link that it leads to. */
export function useNewInvitation(text: Text, onOpen?: () => void) {
  const stored = useStore($map, { keys: ['phone', 'country', 'byLink'], ssr: 'initial' });
  const { phone: storedPhone, country } = stored;
  const [request, setRequest] = useState<NewInvitation>(nothing);
  const [other, setOther] = useState(false);
  const byLink = stored.byLink && !other;
  const [more, setMore] = useState(false);
  const [message, setMessage] = useState<Message | null>(null);
  const [errors, setErrors] = useState<FormErrors>({});
  const [link, setLink] = useState('');
  const work = useInvitationWork(text, () => {
    chooseLink();
    setMessage(null);
  });

  const close = () => {
    setMessage(null);
    setMore(false);
  };
  const copy = (wanted: NewInvitation) =>
    work.run(async () => {
      const made = linkFor(wanted);
      const copied = copyAsync(made).then(
        () => text.copied,
        () => text.not_copied,
      );
      const [copiedLink, words] = await Promise.all([made, copied]);
      await loadInvitations();
      // One update, so that nothing moves twice.
      setLink(copiedLink);
      work.setStatus(words);
      close();
    });
  const submit = (sent: FormData) => {
    const field = (name: string) => String(sent.get(name) ?? '').trim();
    const phone = sent.has('phone') ? field('phone') : storedPhone;
    const fields = { phone, name: field('name'), duration: field('duration') };
    const wrong = errorsOf(fields, text);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const isStored = phone === storedPhone;
    const next = { ...fields, country: (isStored && country) || undefined };
    setRequest(next);
    if (!isStored) setPhone(phone, '');
    setOther(false);
    if (byLink) return copy(next);
    work.run(async () => setMessage(await messageFor(next)));
  };
  return {
    ...work,
    request,
    phone: other ? null : storedPhone || null,
    byLink,
    more,
    message,
    errors,
    link,
    onSubmit: submit,
    onOtherNumber: () => setOther(true),
    onChange: () => setMessage(null),
    onCopy: () => copy(request),
    onSend: () =>
      work.run(async () => {
        await postInvitation(request);
        close();
      }),
    open: () => {
      setMore(true);
      onOpen?.();
      work.clear();
    },
  };
}
