import { Button as AriaButton, type ButtonProps, composeRenderProps } from 'react-aria-components';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

/** A button. `isPending` shows that its work is running, and takes no second press. */
export function Button({
  kind = 'secondary',
  size = 'medium',
  className,
  ...rest
}: ButtonProps & { readonly kind?: ButtonKind; readonly size?: 'small' | 'medium' }) {
  return (
    <AriaButton
      {...rest}
      className={composeRenderProps(className, (given) =>
        [styles.button, styles[kind], styles[size], given].filter(Boolean).join(' '),
      )}
    />
  );
}
