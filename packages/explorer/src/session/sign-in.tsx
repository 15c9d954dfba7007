import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSessionStore } from './session-context.tsx';
import styles from './sign-in.module.css';

/** Asks for a token. `ended` says why the session before ended. */
export function SignIn({ ended }: { readonly ended: string | undefined }) {
  const store = useSessionStore();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(ended);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await store.signIn(token.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={(event) => void submit(event)}>
        <img src="./icon.svg" alt="" width="40" height="40" />
        <h1>Locmetrics</h1>
        <p className={styles.lead}>Sign in to look at the datasets and metrics that you may see.</p>
        {problem !== undefined && <Notice kind="danger">{problem}</Notice>}
        <TextField
          label="Token"
          type="password"
          value={token}
          onChange={setToken}
          description="It stays in the tabs of this browser that show this page, until you close them or sign out, and is sent only to this service."
          autoComplete="off"
          autoFocus
          isRequired
        />
        <Button type="submit" kind="primary" isPending={isBusy}>
          Sign in
        </Button>
        <p className={styles.hint}>
          No token yet? The owner of the data can give you one. See also the{' '}
          <a href="./docs">documentation</a> and the <a href="./docs/api/">API reference</a>.
        </p>
      </form>
    </main>
  );
}
