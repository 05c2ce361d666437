import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { Duration } from '../../worker/invitations/rules/invitation.ts';
import { looksLikePhone } from '../phone/dialled-digits.ts';
import { setPhone } from '../phone/entered-phone.ts';
import { $map } from '../stores/map.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { copyAsync } from '../ui/copy-async.ts';
import {
  loadInvitations,
  type MessagePreview,
  type NewInvitation,
  type OwnMessage,
  ownMessageFor,
  postInvitation,
  previewFor,
} from './requester-store.ts';
import { durationFor } from './share-duration.ts';
import { useInvitationWork } from './use-invitation-work.ts';

type Text = IslandText['invite-panel'];

export type SendWay = 'phone' | 'sms' | 'copy';

/** A device with a mouse sends no SMS, so its screen shows a code for the phone's camera. */
const hasMouse = () =>
  globalThis.matchMedia?.('(hover: hover) and (pointer: fine)').matches === true;

/** The name from sign-up, or its first word if it is too long; never an e-mail address. */
export function signupName(): string {
  const { name } = $signup.get();
  const [first = ''] = name.split(' ');
  return [name, first].find((one) => /^[^@]{1,20}$/.test(one)) ?? '';
}

/** The message, and whether it was read for this number; until then the one before stays on screen. */
function usePreview(phone: string, country: string): [MessagePreview | null, boolean] {
  const [{ preview, of }, setPreview] = useState<{ preview: MessagePreview | null; of: string }>({
    preview: null,
    of: '',
  });
  useEffect(() => {
    let isCurrent = true;
    const known = looksLikePhone(phone) ? phone : '';
    if (sessionToken())
      previewFor({ phone: known, country: country || undefined }).then((found) => {
        if (isCurrent) setPreview({ preview: found, of: phone });
      });
    return () => {
      isCurrent = false;
    };
  }, [phone, country]);
  return [preview, preview !== null && of === phone];
}

export function useNewInvitation(text: Text, onOpen?: () => void) {
  const stored = useStore($map, { keys: ['phone', 'country', 'byLink'], ssr: 'initial' });
  const [other, setOther] = useState(false);
  const [typedPhone, setTypedPhone] = useState('');
  const [more, setMore] = useState(false);
  const [name, setName] = useState(signupName);
  const [chosen, setDuration] = useState<Duration>(durationFor() ?? 'day');
  const [errors, setErrors] = useState<{ phone?: string; name?: string }>({});
  const [own, setOwn] = useState<OwnMessage | null>(null);
  useEffect(() => {
    // The picture's phone shows the message as this requester sends it.
    const sender = document.querySelector('[data-sender] text');
    if (sender) sender.textContent = name.trim() || text.name_here;
  }, [name, text]);
  const markSent = useCallback(() => setOwn((before) => before && { ...before, isSent: true }), []);
  useEffect(() => {
    if (!own || own.isSent) return;
    // Whoever comes back was in the app that sends it.
    const back = () => document.visibilityState === 'visible' && markSent();
    document.addEventListener('visibilitychange', back);
    addEventListener('focus', back);
    return () => {
      document.removeEventListener('visibilitychange', back);
      removeEventListener('focus', back);
    };
  }, [own, markSent]);
  const form = useRef<HTMLFormElement>(null);
  const work = useInvitationWork(text);

  const isStored = !other && stored.phone !== '';
  const country = isStored ? stored.country : '';
  const [preview, isRead] = usePreview(isStored ? stored.phone : typedPhone, country);
  // Until the number was read, the visitor's own choice counts.
  const isKnown = isStored || typedPhone !== '';
  const byLink = isKnown && (isRead ? !preview?.by_sms : isStored && stored.byLink);
  // Sharing without an end needs reminders by SMS.
  const duration = byLink && chosen === 'until_stopped' ? 'day' : chosen;

  const request = (): NewInvitation | null => {
    const sent = new FormData(form.current ?? undefined);
    const field = (key: string) => String(sent.get(key) ?? '').trim();
    const phone = isStored ? stored.phone : field('phone');
    const found = {
      ...(looksLikePhone(phone) ? {} : { phone: text.phone_wrong }),
      ...(field('name') ? {} : { name: text.name_first }),
    };
    setErrors(found);
    const [wrong] = Object.keys(found);
    if (wrong) form.current?.querySelector<HTMLElement>(`#${wrong}`)?.focus();
    if (wrong) return null;
    if (!isStored) setPhone(phone, '');
    return { phone, country: country || undefined, name: field('name'), duration };
  };
  const close = () => {
    setMore(false);
    setOther(false);
  };
  const copy = (link: Promise<string>) =>
    copyAsync(link).then(
      () => text.copied,
      () => text.not_copied,
    );
  const share = (wanted: NewInvitation, way: 'phone' | 'copy') =>
    work.run(async () => {
      const made = ownMessageFor(wanted, way === 'phone' && hasMouse());
      const copied = way === 'copy' && copy(made.then(({ link }) => link));
      const [message, words] = await Promise.all([made, copied]);
      await loadInvitations();
      // One update, so that nothing moves twice.
      setOwn(way === 'copy' ? { ...message, sms: '' } : message);
      if (words) work.setStatus(words);
      close();
      if (way === 'phone' && message.sms && !message.qr_code) location.assign(message.sms);
    });
  const sendByUs = (wanted: NewInvitation) =>
    work.run(async () => {
      await postInvitation(wanted);
      setOwn(null);
      close();
    });
  const send = (way: SendWay): void => {
    const wanted = request();
    if (wanted) way === 'sms' ? sendByUs(wanted) : share(wanted, way);
  };
  return {
    ...work,
    form,
    phone: isStored ? stored.phone : null,
    name,
    duration,
    preview,
    byLink,
    byMouse: hasMouse(),
    more,
    errors,
    own,
    markSent,
    onPhone: setTypedPhone,
    onName: (typed: string) => {
      setName(typed);
      setErrors((before) => ({ ...before, name: '' }));
    },
    onDuration: setDuration,
    onOtherNumber: () => setOther(true),
    onWay: send,
    copyAgain: () =>
      work.run(async () => work.setStatus(await copy(Promise.resolve(own?.link ?? '')))),
    /** @param other whether for another number */
    open: (other: boolean) => {
      setMore(true);
      setOther(other);
      onOpen?.();
      work.clear();
    },
  };
}
