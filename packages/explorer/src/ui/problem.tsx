import { ConnectionError, ServiceError } from '@locmetrics/client';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Tells an error: the cause, the action to take, and the id of the request to quote. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { title, text, reference } = describe(error);
  return (
    <Notice
      kind="danger"
      title={title}
      actions={onRetry !== undefined && <Button onPress={onRetry}>Try again</Button>}
    >
      <p>{text}</p>
      {reference !== undefined && (
        <p>
          <small>{reference}</small>
        </p>
      )}
    </Notice>
  );
}

/** Whether the service has nothing under the name, or nothing that the caller may see. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

type Description = {
  readonly title: string;
  readonly text: string;
  readonly reference?: string;
};

function describe(error: unknown): Description {
  if (error instanceof ServiceError) {
    const { detail, hint, reason, requestId } = error;
    return { title: detail, text: hint, reference: `${reason} · request ${requestId}` };
  }
  if (error instanceof ConnectionError) {
    return {
      title: 'The service does not answer.',
      text: 'The page continues as soon as it answers again.',
    };
  }
  const text = error instanceof Error ? error.message : String(error);
  // The words of Chromium, Firefox and Safari, and of Vite for a style sheet.
  if (/dynamically imported|importing a module|preload CSS/.test(text)) {
    return {
      title: 'A part of the page could not be loaded.',
      text: 'The page loads it as soon as the service answers.',
    };
  }
  return { title: 'This view could not be shown.', text };
}
