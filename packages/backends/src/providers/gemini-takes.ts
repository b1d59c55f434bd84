import type { ModelCapabilities } from '@loader/session-core'

/** Every Gemini sees images and reads PDF files; of the other models there, such as Gemma, Google says nothing. */
export function geminiTakes(model: string): Pick<ModelCapabilities, 'images' | 'documents'> {
  return model.startsWith('gemini-') ? { images: true, documents: true } : { documents: false }
}
