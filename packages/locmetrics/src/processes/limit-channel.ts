import type {
  LimitAnswer,
  LimitLine,
  LimitQuestion,
  LimitReturn,
  RecallPlaces,
} from '@locmetrics/server/metering/limit-messages';

export type LimitFromWorker =
  | { readonly kind: 'question'; readonly id: number; readonly question: LimitQuestion }
  | { readonly kind: 'return'; readonly returned: LimitReturn }
  /** The answer to the recall with this id. */
  | { readonly kind: 'recalled'; readonly id: number; readonly returned: LimitReturn };

export type LimitToWorker =
  /** The answer to the question with this id. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: LimitAnswer }
  /** The worker should return the free slots that it leases for an organisation. */
  | { readonly kind: 'recall'; readonly id: number; readonly organisationId: string };

/** The line of a worker to the authority in the primary. */
export function openLimitLine(send: (messages: readonly LimitFromWorker[]) => void): {
  readonly line: LimitLine;
  readonly receive: (messages: readonly LimitToWorker[]) => void;
} {
  const sendTogether = collectMessages(send);
  const questions = new Map<number, (answer: LimitAnswer) => void>();
  let lastQuestion = 0;
  let recallPlaces: RecallPlaces | undefined;
  const receive = (message: LimitToWorker): void => {
    const { id } = message;
    if (message.kind === 'answer') {
      questions.get(id)?.(message.answer);
      questions.delete(id);
      return;
    }
    void Promise.resolve(recallPlaces?.(message.organisationId)).then((returned) => {
      if (returned !== undefined) sendTogether({ kind: 'recalled', id, returned });
    });
  };
  return {
    line: {
      ask: (question) => {
        lastQuestion += 1;
        const { promise, resolve } = Promise.withResolvers<LimitAnswer>();
        questions.set(lastQuestion, resolve);
        sendTogether({ kind: 'question', id: lastQuestion, question });
        return promise;
      },
      giveBack: (returned) => sendTogether({ kind: 'return', returned }),
      onRecall: (recall) => {
        recallPlaces = recall;
      },
    },
    receive: (messages) => messages.forEach(receive),
  };
}

/** Connects the authority in the primary to a worker. */
export function connectLimitLine(
  line: LimitLine,
  send: (messages: readonly LimitToWorker[]) => void,
): { readonly receive: (messages: readonly LimitFromWorker[]) => void } {
  const sendTogether = collectMessages(send);
  const recalls = new Map<number, (returned: LimitReturn) => void>();
  let lastRecall = 0;
  line.onRecall((organisationId) => {
    lastRecall += 1;
    const { promise, resolve } = Promise.withResolvers<LimitReturn>();
    recalls.set(lastRecall, resolve);
    sendTogether({ kind: 'recall', id: lastRecall, organisationId });
    return promise;
  });
  const receive = (message: LimitFromWorker): void => {
    switch (message.kind) {
      case 'question':
        void line
          .ask(message.question)
          .then((answer) => sendTogether({ kind: 'answer', id: message.id, answer }));
        break;
      case 'return':
        line.giveBack(message.returned);
        break;
      case 'recalled':
        recalls.get(message.id)?.(message.returned);
        recalls.delete(message.id);
        break;
    }
  };
  return { receive: (messages) => messages.forEach(receive) };
}

/** Sends the messages of an event-loop tick together: a message costs both processes more than its content. */
function collectMessages<Message>(
  send: (messages: readonly Message[]) => void,
): (message: Message) => void {
  let collected: Message[] = [];
  return (message) => {
    if (collected.push(message) > 1) return;
    setImmediate(() => {
      const messages = collected;
      collected = [];
      send(messages);
    });
  };
}
