import { CopyButton } from './copy-button.tsx';

/** Copies the address of the view, which has all that the view shows and no token. */
export function CopyLink() {
  return <CopyButton text={() => location.href} label="Copy link" />;
}
