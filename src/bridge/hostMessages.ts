import type { ViewAttachment } from './viewMessages.ts';
import type { SessionView } from './sessionView.ts';
import type { ViewItem } from './viewItem.ts';
import type { ViewStrings } from './strings.ts';

/**
 * What the host says to the view. Items are addressed by their place in the whole conversation, so that the view can
 * hold a window of it and ask for the rest.
 *
 * Every message that changes the picture carries the revision it leads to; a patch also says which one it builds on.
 * A view that finds a gap asks for a snapshot and drops patches until it comes.
 */
export type HostMessage =
  | {
      readonly type: 'hello';
      readonly strings: ViewStrings;
      readonly options: ViewOptions;
    }
  | {
      readonly type: 'snapshot';
      readonly revision: number;
      readonly session: SessionView;
      /** Number of top-level items in the conversation. */
      readonly total: number;
      /** Place of the first of `items` among the top-level items. */
      readonly from: number;
      /** The newest top-level items, each followed by what is nested under it. */
      readonly items: readonly ViewItem[];
    }
  | {
      readonly type: 'patch';
      readonly base: number;
      readonly revision: number;
      readonly ops: readonly PatchOp[];
    }
  | { readonly type: 'composer'; readonly action: ComposerAction }
  /** What is selected in the editor, as a chip that goes along with the next message; absent for none. */
  | { readonly type: 'selection'; readonly chip?: SelectionChip }
  /** The draft of the conversation that is shown, as it was kept. Comes with every greeting and with every other conversation. */
  | {
      readonly type: 'draft';
      readonly key: string;
      readonly text: string;
      readonly attachments: readonly ViewAttachment[];
      /** Of the last change that a page told the host; 0 for a draft that no page has changed. */
      readonly revision: number;
      /** The part of the text that came back since then: no page has seen it yet. */
      readonly given?: string | undefined;
    }
  /** The same conversation, and so the same draft, under another key. */
  | { readonly type: 'draftMoved'; readonly from: string; readonly to: string }
  | { readonly type: 'focus'; readonly target: 'composer' | 'find' | { readonly askId: string } };

export interface SelectionChip {
  readonly id: string;
  readonly name: string;
  readonly what: 'selection' | 'file';
}

export type PatchOp =
  /** `index` is the place among the siblings: the top level, or the children of `item.parent`. */
  | { readonly op: 'add'; readonly index: number; readonly item: ViewItem }
  | { readonly op: 'update'; readonly item: ViewItem }
  | { readonly op: 'append'; readonly id: string; readonly text: string }
  | { readonly op: 'remove'; readonly id: string }
  | { readonly op: 'session'; readonly session: SessionView };

export type ComposerAction =
  /** Words, with all that belonged to them, go before those that are there already. */
  | { readonly type: 'giveBack'; readonly text: string; readonly attachments: readonly ViewAttachment[] }
  | { readonly type: 'insertText'; readonly text: string }
  | { readonly type: 'attach'; readonly attachments: readonly ViewAttachment[] };

export interface ViewOptions {
  /** `enter` sends with Enter, `modEnter` with Ctrl/Cmd+Enter. */
  readonly sendKey: 'enter' | 'modEnter';
  readonly placement: 'sideBar' | 'editor';
}

/** Answers to the view's requests, by the request's name. */
export interface HostAnswers {
  /** `problem`: why the message was not taken. Without one it is the host's now. */
  readonly send: { readonly problem?: string };
  readonly readItems: {
    readonly revision: number;
    readonly total: number;
    readonly from: number;
    readonly items: readonly ViewItem[];
  };
  readonly locate: {
    /** Place among the top-level items; -1 while the host has not read that far back, or when there is no such item. */
    readonly index: number;
    readonly total: number;
  };
  readonly find: {
    /** Top-level items that hold the text, in order, and how often. */
    readonly matches: readonly { readonly index: number; readonly count: number }[];
    readonly total: number;
    /** There are more than were counted. */
    readonly more: boolean;
  };
  readonly completeFile: { readonly paths: readonly { readonly path: string; readonly folder: boolean }[] };
  readonly readFull: { readonly text: string };
}
