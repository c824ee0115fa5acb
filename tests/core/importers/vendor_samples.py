"""One small response of every vendor, in the shape of its SDK, about the same tram."""

from __future__ import annotations

from typing import Any

TEXT = "The tram 🚋 runs every 8 minutes. A ticket costs 3 euros."
"""Two sentences; the emoji is one code point, two UTF-16 units, four bytes of UTF-8."""

OPENAI_RESPONSES: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1764493200,
    "model": "gpt-5",
    "output": [
        {
            "type": "file_search_call",
            "id": "fs_1",
            "queries": ["tram"],
            "status": "completed",
            "results": [
                {"file_id": "file-a", "filename": "lines.pdf", "score": 0.9, "text": "Trams run every 8 minutes."},
                {"file_id": "file-a", "filename": "lines.pdf", "score": 0.5, "text": "Line 3 is yellow."},
            ],
        },
        {
            "type": "web_search_call",
            "action": {"type": "search", "sources": [{"type": "url", "url": "https://c.example/"}]},
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": TEXT,
                    "annotations": [
                        {"type": "file_citation", "file_id": "file-a", "filename": "lines.pdf", "index": 32},
                        {
                            "type": "url_citation",
                            "url": "https://t.example/fares",
                            "title": "Fares",
                            "start_index": 33,
                            "end_index": 56,
                        },
                    ],
                }
            ],
        },
    ],
}

OPENAI_CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1764493200,
    "model": "gpt-5-search",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": TEXT,
                "annotations": [
                    {
                        "type": "url_citation",
                        "url_citation": {
                            "url": "https://t.example/fares",
                            "title": "Fares",
                            "start_index": 33,
                            "end_index": 56,
                        },
                    }
                ],
            },
        }
    ],
}

ANTHROPIC_MESSAGES: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "stop_reason": "end_turn",
    "content": [
        {
            "type": "text",
            "text": "The tram 🚋 runs every 8 minutes.",
            "citations": [
                {
                    "type": "char_location",
                    "cited_text": "Trams run every 8 minutes.",
                    "document_index": 0,
                    "document_title": "Lines",
                    "start_char_index": 10,
                    "end_char_index": 36,
                }
            ],
        },
        {"type": "text", "text": " "},
        {
            "type": "text",
            "text": "A ticket costs 3 euros.",
            "citations": [
                {
                    "type": "web_search_result_location",
                    "cited_text": "Tickets are 3 euros.",
                    "url": "https://t.example/fares",
                    "title": "Fares",
                    "encrypted_index": "Eo8B",
                }
            ],
        },
    ],
}

GEMINI_GROUNDING: dict[str, Any] = {
    "responseId": "g-1",
    "modelVersion": "gemini-3",
    "createTime": "2025-11-30T09:00:00Z",
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": TEXT}]},
            "groundingMetadata": {
                "groundingChunks": [
                    {"retrievedContext": {"title": "Lines", "uri": "gs://lines", "text": "Trams run every 8 minutes."}},
                    {"web": {"title": "t.example", "uri": "https://t.example/fares"}},
                ],
                "groundingSupports": [
                    {
                        "segment": {"endIndex": 35, "text": "The tram 🚋 runs every 8 minutes."},
                        "groundingChunkIndices": [0],
                        "confidenceScores": [],
                    },
                    {
                        "segment": {
                            "partIndex": 0,
                            "startIndex": 36,
                            "endIndex": 59,
                            "text": "A ticket costs 3 euros.",
                        },
                        "groundingChunkIndices": [1],
                    },
                ],
            },
        }
    ],
}

COHERE_V2: dict[str, Any] = {
    "id": "co-1",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "content": [{"type": "text", "text": TEXT}],
        "citations": [
            {
                "start": 9,
                "end": 31,
                "text": "🚋 runs every 8 minutes",
                "content_index": 0,
                "type": "TEXT_CONTENT",
                "sources": [
                    {
                        "type": "document",
                        "id": "doc:0",
                        "document": {"id": "doc:0", "title": "Lines", "text": "Trams run every 8 minutes."},
                    }
                ],
            },
            {
                "start": 48,
                "end": 55,
                "text": "3 euros",
                "content_index": 0,
                "type": None,
                "sources": [{"type": "tool", "id": "fares_1:0", "tool_output": {"price": "3 euros"}}],
            },
        ],
    },
}

PERPLEXITY: dict[str, Any] = {
    "id": "px-1",
    "object": "chat.completion",
    "created": 1764493200,
    "model": "sonar",
    "citations": ["https://l.example/", "https://t.example/fares"],
    "search_results": [
        {"title": "Fares", "url": "https://t.example/fares", "date": "2025-10-01", "snippet": "Tickets are 3 euros."},
        {"title": "Lines", "url": "https://l.example/"},
    ],
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "The tram 🚋 runs every 8 minutes.[1] A ticket costs 3 euros.[2]",
            },
        }
    ],
}

BEDROCK_CONVERSE: dict[str, Any] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"text": "Here is the plan. "},
                {
                    "citationsContent": {
                        "content": [{"text": "The tram 🚋 runs "}, {"text": "every 8 minutes."}],
                        "citations": [
                            {
                                "title": "Lines",
                                "sourceContent": [{"text": "Trams run"}, {"text": "every 8 minutes."}],
                                "location": {"documentPage": {"documentIndex": 0, "start": 4, "end": 5}},
                            }
                        ],
                    }
                },
                {
                    "citationsContent": {
                        "content": [{"text": " A ticket costs 3 euros."}],
                        "citations": [{"title": "Fares", "location": {"web": {"url": "https://t.example/fares"}}}],
                    }
                },
            ],
        }
    },
    "stopReason": "end_turn",
    "ResponseMetadata": {"RequestId": "b-1"},
}

SAMPLES: dict[str, dict[str, Any]] = {
    "anthropic_messages": ANTHROPIC_MESSAGES,
    "bedrock_converse": BEDROCK_CONVERSE,
    "cohere_v2": COHERE_V2,
    "gemini_grounding": GEMINI_GROUNDING,
    "openai_chat": OPENAI_CHAT,
    "openai_responses": OPENAI_RESPONSES,
    "perplexity": PERPLEXITY,
}
