import { ContinueButton } from './continue-button.tsx';

type Props = { message: string; retry: string; id?: string; onRetry: () => void };

export function RetryNotice({ message, retry, id, onRetry }: Props) {
  return (
    <>
      <p role="alert">{message}</p>
      <ContinueButton {...(id && { id })} label={retry} type="button" onClick={onRetry} />
    </>
  );
}
