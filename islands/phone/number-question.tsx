import type { IslandText } from '../../locales/index.ts';
import { $map, chooseLink } from '../stores/map.ts';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import { setPhone } from './entered-phone.ts';

interface Props {
  text: IslandText['search-progress'];
  onAnswer: () => void;
}

/** Asks which number was meant, or offers a link where the number gets no SMS. */
export function NumberQuestion({ text, onAnswer }: Props) {
  const { numberData } = $map.get();
  const others = numberData?.other_readings;
  const readings = numberData && others ? [numberData, ...others] : [];
  const choose = (number: string) => {
    setPhone(number, '');
    onAnswer();
  };
  const sendLink = () => {
    chooseLink();
    onAnswer();
  };
  return (
    <>
      <p className="strong" role="alert">
        {readings.length > 0 ? text.which : numberData?.sms_refusal?.message}
      </p>
      {readings.map(({ number, country_name }) => (
        <SecondaryButton
          key={number}
          id={`reading-${number.replace(/\D/g, '')}`}
          label={`\u2066${number}\u2069 ${country_name ?? ''}`}
          type="button"
          onClick={() => choose(number)}
        />
      ))}
      {readings.length === 0 && (
        <SecondaryButton id="send-link" label={text.link} type="button" onClick={sendLink} />
      )}
    </>
  );
}
