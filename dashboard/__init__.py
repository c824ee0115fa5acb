"""The Streamlit front end of Citedesk."""
